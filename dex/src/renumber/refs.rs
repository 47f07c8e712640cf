//! Copies of classes, bodies and values in which every index went through a translation.

use crate::code::debug::{DebugEvent, DebugHeader};
use crate::code::error::CodeError;
use crate::code::insn::{Args, Insn, Ref};
use crate::code::raw::{RawKind, raw_insns};
use crate::code::{Code, Item};
use crate::file::*;
use crate::ids::*;

/// Gives each index of one [`Dex`] its counterpart in another.
pub(crate) trait Translate {
    type Error: From<CodeError>;

    /// The counterpart of an index.
    fn index(&mut self, pool: PoolKind, index: u32) -> Result<u32, Self::Error>;

    fn string(&mut self, i: StringIdx) -> Result<StringIdx, Self::Error> {
        self.index(PoolKind::String, i.0).map(StringIdx)
    }

    fn ty(&mut self, i: TypeIdx) -> Result<TypeIdx, Self::Error> {
        self.index(PoolKind::Type, i.0).map(TypeIdx)
    }

    fn field(&mut self, i: FieldIdx) -> Result<FieldIdx, Self::Error> {
        self.index(PoolKind::Field, i.0).map(FieldIdx)
    }

    fn method(&mut self, i: MethodIdx) -> Result<MethodIdx, Self::Error> {
        self.index(PoolKind::Method, i.0).map(MethodIdx)
    }

    fn proto(&mut self, i: ProtoIdx) -> Result<ProtoIdx, Self::Error> {
        self.index(PoolKind::Proto, i.0).map(ProtoIdx)
    }

    /// All but the members' bodies, which keep their [`CodeId`]s.
    fn class(&mut self, class: &ClassDef) -> Result<ClassDef, Self::Error> {
        let annotations = class.annotations.as_ref();
        let annotations = annotations.map(|a| self.annotations(&a.values()).map(Into::into));
        Ok(ClassDef {
            ty: self.ty(class.ty)?,
            access: class.access,
            superclass: class.superclass.map(|ty| self.ty(ty)).transpose()?,
            interfaces: class.interfaces.iter().map(|&ty| self.ty(ty)).collect::<Result<_, _>>()?,
            source_file: class.source_file.map(|s| self.string(s)).transpose()?,
            annotations: annotations.transpose()?,
            static_values: self.values(&class.static_values)?,
            static_fields: self.fields(&class.static_fields)?,
            instance_fields: self.fields(&class.instance_fields)?,
            direct_methods: self.methods(&class.direct_methods)?,
            virtual_methods: self.methods(&class.virtual_methods)?,
        })
    }

    fn fields(&mut self, list: &[EncodedField]) -> Result<Vec<EncodedField>, Self::Error> {
        list.iter().map(|f| Ok(EncodedField { field: self.field(f.field)?, ..*f })).collect()
    }

    fn methods(&mut self, list: &[EncodedMethod]) -> Result<Vec<EncodedMethod>, Self::Error> {
        list.iter().map(|m| Ok(EncodedMethod { method: self.method(m.method)?, ..*m })).collect()
    }

    fn annotations(&mut self, a: &Annotations) -> Result<Annotations, Self::Error> {
        Ok(Annotations {
            class: a.class.as_ref().map(|set| self.set(set)).transpose()?,
            fields: (a.fields.iter().map(|(f, set)| Ok((self.field(*f)?, self.set(set)?))))
                .collect::<Result<_, Self::Error>>()?,
            methods: (a.methods.iter().map(|(m, set)| Ok((self.method(*m)?, self.set(set)?))))
                .collect::<Result<_, Self::Error>>()?,
            parameters: (a.parameters.iter())
                .map(|(m, sets)| {
                    let sets =
                        sets.iter().map(|set| set.as_ref().map(|set| self.set(set)).transpose());
                    let sets = sets.collect::<Result<_, _>>()?;
                    Ok((self.method(*m)?, sets))
                })
                .collect::<Result<_, Self::Error>>()?,
        })
    }

    fn set(&mut self, set: &AnnotationSet) -> Result<AnnotationSet, Self::Error> {
        (set.iter())
            .map(|a| {
                Ok(Annotation {
                    visibility: a.visibility,
                    annotation: self.annotation(&a.annotation)?,
                })
            })
            .collect()
    }

    fn annotation(&mut self, a: &EncodedAnnotation) -> Result<EncodedAnnotation, Self::Error> {
        let elements =
            a.elements.iter().map(|(name, value)| Ok((self.string(*name)?, self.value(value)?)));
        let elements = elements.collect::<Result<_, Self::Error>>()?;
        Ok(EncodedAnnotation { ty: self.ty(a.ty)?, elements })
    }

    fn values(&mut self, values: &[EncodedValue]) -> Result<Vec<EncodedValue>, Self::Error> {
        values.iter().map(|v| self.value(v)).collect()
    }

    fn value(&mut self, value: &EncodedValue) -> Result<EncodedValue, Self::Error> {
        Ok(match value {
            EncodedValue::MethodType(i) => EncodedValue::MethodType(self.proto(*i)?),
            EncodedValue::MethodHandle(i) => EncodedValue::MethodHandle(
                self.index(PoolKind::MethodHandle, i.0).map(MethodHandleIdx)?,
            ),
            EncodedValue::String(i) => EncodedValue::String(self.string(*i)?),
            EncodedValue::Type(i) => EncodedValue::Type(self.ty(*i)?),
            EncodedValue::Field(i) => EncodedValue::Field(self.field(*i)?),
            EncodedValue::Method(i) => EncodedValue::Method(self.method(*i)?),
            EncodedValue::Enum(i) => EncodedValue::Enum(self.field(*i)?),
            EncodedValue::Array(values) => EncodedValue::Array(Box::new(self.values(values)?)),
            EncodedValue::Annotation(a) => EncodedValue::Annotation(Box::new(self.annotation(a)?)),
            EncodedValue::Byte(_)
            | EncodedValue::Short(_)
            | EncodedValue::Char(_)
            | EncodedValue::Int(_)
            | EncodedValue::Long(_)
            | EncodedValue::Float(_)
            | EncodedValue::Double(_)
            | EncodedValue::Null
            | EncodedValue::Boolean(_) => value.clone(),
        })
    }

    fn code(&mut self, code: &Code) -> Result<Code, Self::Error> {
        let mut code = code.clone();
        for node in &mut code.nodes {
            match &mut node.item {
                Item::Insn(insn) => *insn = self.insn(*insn)?,
                Item::Label(_) => {}
                Item::Debug(event) => *event = self.event(event)?,
            }
        }
        for handlers in &mut code.tries {
            for (ty, _) in &mut handlers.catches {
                *ty = self.ty(*ty)?;
            }
        }
        code.debug = code.debug.map(|header| self.header(&header)).transpose()?;
        Ok(code)
    }

    fn insn(&mut self, insn: Insn) -> Result<Insn, Self::Error> {
        let args = match insn.args {
            Args::ARef(a, r) => Args::ARef(a, self.reference(r)?),
            Args::ABRef(a, b, r) => Args::ABRef(a, b, self.reference(r)?),
            Args::List(list, r) => Args::List(list, self.reference(r)?),
            Args::Range(first, n, r) => Args::Range(first, n, self.reference(r)?),
            Args::PolyList(list, m, p) => Args::PolyList(list, self.method(m)?, self.proto(p)?),
            Args::PolyRange(first, n, m, p) => {
                Args::PolyRange(first, n, self.method(m)?, self.proto(p)?)
            }
            other => other,
        };
        Ok(Insn { op: insn.op, args })
    }

    fn reference(&mut self, r: Ref) -> Result<Ref, Self::Error> {
        Ok(match r {
            Ref::String(i) => Ref::String(self.string(i)?),
            Ref::Type(i) => Ref::Type(self.ty(i)?),
            Ref::Field(i) => Ref::Field(self.field(i)?),
            Ref::Method(i) => Ref::Method(self.method(i)?),
            Ref::Proto(i) => Ref::Proto(self.proto(i)?),
            Ref::CallSite(i) => {
                Ref::CallSite(self.index(PoolKind::CallSite, i.0).map(CallSiteIdx)?)
            }
            Ref::MethodHandle(i) => {
                Ref::MethodHandle(self.index(PoolKind::MethodHandle, i.0).map(MethodHandleIdx)?)
            }
        })
    }

    fn header(&mut self, header: &DebugHeader) -> Result<DebugHeader, Self::Error> {
        let names =
            header.parameter_names.iter().map(|name| name.map(|s| self.string(s)).transpose());
        Ok(DebugHeader { parameter_names: names.collect::<Result<_, _>>()?, ..*header })
    }

    fn event(&mut self, event: &DebugEvent) -> Result<DebugEvent, Self::Error> {
        Ok(match *event {
            DebugEvent::StartLocal { reg, name, ty, signature, extended } => {
                DebugEvent::StartLocal {
                    reg,
                    name: name.map(|s| self.string(s)).transpose()?,
                    ty: ty.map(|ty| self.ty(ty)).transpose()?,
                    signature: signature.map(|s| self.string(s)).transpose()?,
                    extended,
                }
            }
            DebugEvent::SetFile(name) => {
                DebugEvent::SetFile(name.map(|s| self.string(s)).transpose()?)
            }
            DebugEvent::Line(_)
            | DebugEvent::EndLocal(_)
            | DebugEvent::RestartLocal(_)
            | DebugEvent::PrologueEnd
            | DebugEvent::EpilogueBegin => event.clone(),
        })
    }

    /// Translates every index that a raw body mentions, for the sake of what
    /// [`index`](Translate::index) remembers.
    fn visit_raw(&mut self, item: &CodeItem) -> Result<(), Self::Error> {
        self.visit_insns(&item.insns)?;
        for (ty, _) in item.handlers.iter().flat_map(|h| &h.catches) {
            self.ty(*ty)?;
        }
        if let Some(debug) = &item.debug {
            self.header(&debug.header)?;
            for (_, event) in &debug.events {
                self.event(event)?;
            }
        }
        Ok(())
    }

    /// Walks raw instructions from the first to the last, as the writer's renumbering does.
    fn visit_insns(&mut self, insns: &[u16]) -> Result<(), Self::Error> {
        for insn in raw_insns(insns) {
            let cut_off = CodeError::Truncated { at: insn.at as u32 };
            if insn.kind == RawKind::Table && !insn.whole {
                return Err(cut_off.into());
            }
            for (pool, offset, wide) in insn.indices() {
                if !insn.whole {
                    return Err(cut_off.into());
                }
                let at = insn.at + offset;
                let high = if wide { u32::from(insns[at + 1]) << 16 } else { 0 };
                self.index(pool, u32::from(insns[at]) | high)?;
            }
        }
        Ok(())
    }
}
