import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.zip.*;
import org.objectweb.asm.*;
import org.objectweb.asm.tree.*;
import static org.objectweb.asm.Opcodes.*;
/**
 * Desugar IN(dir|jar) OUTDIR : replace LambdaMetafactory invokedynamic with plain classes; copy the
 * rest.
 */
public class Desugar {
  static Path out;
  static int made=0;
  public static void main(String[] a) throws Exception {
    out=Paths.get(a[1]);
    Files.createDirectories(out);
    File f=new File(a[0]);
    if (f.isDirectory()) {
      Path base=f.toPath();
      List<Path> l=new ArrayList<>();
      try (java.util.stream.Stream<Path> s=Files.walk(base)) {
        s.filter(Files::isRegularFile).forEach(l::add);
      }
      Collections.sort(l);
      for (Path p:l) one(base.relativize(p).toString(), Files.readAllBytes(p));
    } else try (ZipFile z=new ZipFile(f)) {
      for (Enumeration<? extends ZipEntry> e=z.entries(); e.hasMoreElements();) {
        ZipEntry x=e.nextElement();
        if (!x.isDirectory()) one(x.getName(), z.getInputStream(x).readAllBytes());
      }
    }
    if (System.getenv("DESUGAR_VERBOSE")!=null) System.err.println("lambda classes made: "+made);
  }
  static void write(String n, byte[] b) throws IOException {
    Path p=out.resolve(n);
    Files.createDirectories(p.getParent());
    Files.write(p,b);
  }
  static void one(String name, byte[] b) throws IOException {
    if (!name.endsWith(".class")) {
      write(name,b);
      return;
    }
    ClassReader r=new ClassReader(b);
    ClassNode c=new ClassNode();
    r.accept(c,0);
    if (c.module!=null) return;
    boolean itf=(c.access&ACC_INTERFACE)!=0;
    int n=0;
    boolean changed=false;
    List<MethodNode> extra=new ArrayList<>();
    for (MethodNode m: c.methods) {
      for (AbstractInsnNode i: m.instructions.toArray()) {
        if (i instanceof MethodInsnNode) {
          changed|=retype(m,(MethodInsnNode)i);
          continue;
        }
        if (!(i instanceof InvokeDynamicInsnNode)) continue;
        InvokeDynamicInsnNode d=(InvokeDynamicInsnNode)i;
        if (!d.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory")) continue;
        String ln=c.name+"$$Lambda$"+(n++);
        changed=true;
        made++;
        Type sam=(Type)d.bsmArgs[0], inst=(Type)d.bsmArgs[2];
        Handle h=(Handle)d.bsmArgs[1];
        List<String> ifs=new ArrayList<>();
        Type it=Type.getReturnType(d.desc);
        ifs.add(it.getInternalName());
        List<Type> bridges=new ArrayList<>();
        if (d.bsm.getName().equals("altMetafactory")) {
          int p=3;
          int fl=(Integer)d.bsmArgs[p++];
          if ((fl&1)!=0 && !ifs.contains("java/io/Serializable")) ifs.add("java/io/Serializable");
          if ((fl&2)!=0) {
            int k=(Integer)d.bsmArgs[p++];
            while(k-->0){
              String s=((Type)d.bsmArgs[p++]).getInternalName();
              if(!ifs.contains(s)) ifs.add(s);
            }
          }
          if ((fl&4)!=0) {
            int k=(Integer)d.bsmArgs[p++];
            while(k-->0) bridges.add((Type)d.bsmArgs[p++]);
          }
        }
        // accessibility of the implementation
        Handle target=h;
        if (h.getOwner().equals(c.name)) {
          MethodNode im=null;
          for (MethodNode q:c.methods)
            if (q.name.equals(h.getName())&&q.desc.equals(h.getDesc())) im=q;
          if (im==null)
            for (MethodNode q:extra)
              if (q.name.equals(h.getName())&&q.desc.equals(h.getDesc())) im=q;
          if (im!=null && (im.access&ACC_PRIVATE)!=0) {
            if (h.getTag()==H_INVOKESTATIC) {
              im.access&=~ACC_PRIVATE;
              if (itf) im.access|=ACC_PUBLIC;
            } else {
              boolean ctor=h.getTag()==H_NEWINVOKESPECIAL;
              Type[] pt=Type.getArgumentTypes(h.getDesc());
              List<Type> bt=new ArrayList<>();
              if(!ctor) bt.add(Type.getObjectType(c.name));
              bt.addAll(Arrays.asList(pt));
              Type rt=ctor?Type.getObjectType(c.name):Type.getReturnType(h.getDesc());
              String bd=Type.getMethodDescriptor(rt,bt.toArray(new Type[0])), bn="lambda$bridge$"
                  +made+"$"+extra.size();
              MethodNode bm=new MethodNode(ACC_STATIC|ACC_SYNTHETIC|(itf?ACC_PUBLIC:0),bn,bd,null,
                                           null);
              int v=0;
              if(ctor){
                bm.visitTypeInsn(NEW,c.name);
                bm.visitInsn(DUP);
              }
              for (Type t:bt){
                bm.visitVarInsn(t.getOpcode(ILOAD),v);
                v+=t.getSize();
              }
              bm.visitMethodInsn(INVOKESPECIAL,c.name,h.getName(),h.getDesc(),itf);
              bm.visitInsn(rt.getOpcode(IRETURN));
              bm.visitMaxs(v+3,v);
              extra.add(bm);
              target=new Handle(H_INVOKESTATIC,c.name,bn,bd,itf);
            }
          }
        }
        if (target==h && h.getTag()==H_INVOKESPECIAL) {
          // super.method or non-private special: bridge in the class itself
          Type[] pt=Type.getArgumentTypes(h.getDesc());
          List<Type> bt=new ArrayList<>();
          bt.add(Type.getObjectType(c.name));
          bt.addAll(Arrays.asList(pt));
          Type rt=Type.getReturnType(h.getDesc());
          String bd=Type.getMethodDescriptor(rt,bt.toArray(new Type[0])), bn="lambda$bridge$"+made
              +"$"+extra.size();
          MethodNode bm=new MethodNode(ACC_STATIC|ACC_SYNTHETIC|(itf?ACC_PUBLIC:0),bn,bd,null,null);
          int v=0;
          for (Type t:bt){
            bm.visitVarInsn(t.getOpcode(ILOAD),v);
            v+=t.getSize();
          }
          bm.visitMethodInsn(INVOKESPECIAL,h.getOwner(),h.getName(),h.getDesc(),h.isInterface());
          bm.visitInsn(rt.getOpcode(IRETURN));
          bm.visitMaxs(v+3,v);
          extra.add(bm);
          target=new Handle(H_INVOKESTATIC,c.name,bn,bd,itf);
        }
        gen(c,ln,ifs,d,sam,inst,bridges,target);
        m.instructions.set(i,new MethodInsnNode(INVOKESTATIC,ln,"$make",d.desc,false));
      }
    }
    if (!changed) {
      write(name,b);
      return;
    }
    c.methods.addAll(extra);
    ClassWriter w=new ClassWriter(0);
    c.accept(w);
    write(name,w.toByteArray());
  }
  /**
   * Calls compiled against JDK 9+: covariant returns of java.nio buffers,
   * ConcurrentHashMap.keySet().
   */
  static boolean retype(MethodNode m, MethodInsnNode i) {
    if (i.owner.startsWith("java/nio/") && i.owner.endsWith("Buffer")
        && !i.owner.equals("java/nio/Buffer") && i.desc.endsWith(")L"+i.owner+";")) {
      String k=i.name+i.desc.substring(0,i.desc.indexOf(')')+1);
      if (!Arrays.asList("position(I)","limit(I)","flip()","clear()","rewind()","mark()","reset()")
          .contains(k))
        return false;
      i.desc=i.desc.substring(0,i.desc.indexOf(')')+1)+"Ljava/nio/Buffer;";
      m.instructions.insert(i,new TypeInsnNode(CHECKCAST,i.owner));
      return true;
    }
    if (i.owner.equals("java/util/concurrent/ConcurrentHashMap")
        && i.desc.equals("()Ljava/util/concurrent/ConcurrentHashMap$KeySetView;")
        && i.name.equals("keySet")) {
      i.desc="()Ljava/util/Set;";
      return true;
    }
    return false;
  }
  static void gen(ClassNode c,String ln,List<String> ifs,InvokeDynamicInsnNode d,Type sam,Type inst,
                  List<Type> bridges,Handle h) throws IOException {
    ClassWriter w=new ClassWriter(ClassWriter.COMPUTE_MAXS);
    boolean itf=(c.access&ACC_INTERFACE)!=0;
    w.visit(52,ACC_FINAL|ACC_SUPER|ACC_SYNTHETIC|(itf?ACC_PUBLIC:0),ln,null,"java/lang/Object",
            ifs.toArray(new String[0]));
    w.visitSource("lambda",null);
    Type[] cap=Type.getArgumentTypes(d.desc);
    for(int i=0;i<cap.length;i++)
      w.visitField(ACC_PRIVATE|ACC_FINAL|ACC_SYNTHETIC,"f"+i,cap[i].getDescriptor(),null,null);
    String cd=Type.getMethodDescriptor(Type.VOID_TYPE,cap);
    MethodVisitor k=w.visitMethod(0,"<init>",cd,null,null);
    k.visitCode();
    k.visitVarInsn(ALOAD,0);
    k.visitMethodInsn(INVOKESPECIAL,"java/lang/Object","<init>","()V",false);
    int v=1;
    for(int i=0;i<cap.length;i++){
      k.visitVarInsn(ALOAD,0);
      k.visitVarInsn(cap[i].getOpcode(ILOAD),v);
      v+=cap[i].getSize();
      k.visitFieldInsn(PUTFIELD,ln,"f"+i,cap[i].getDescriptor());
    }
    k.visitInsn(RETURN);
    k.visitMaxs(0,0);
    k.visitEnd();
    k=w.visitMethod(ACC_STATIC|ACC_SYNTHETIC|(itf?ACC_PUBLIC:0),"$make",d.desc,null,null);
    k.visitCode();
    k.visitTypeInsn(NEW,ln);
    k.visitInsn(DUP);
    v=0;
    for(Type t:cap){
      k.visitVarInsn(t.getOpcode(ILOAD),v);
      v+=t.getSize();
    }
    k.visitMethodInsn(INVOKESPECIAL,ln,"<init>",cd,false);
    k.visitInsn(ARETURN);
    k.visitMaxs(0,0);
    k.visitEnd();
    Set<String> done=new HashSet<>();
    List<Type> all=new ArrayList<>();
    all.add(sam);
    all.addAll(bridges);
    for(Type s:all){
      if(!done.add(s.getDescriptor())) continue;
      k=w.visitMethod(ACC_PUBLIC,d.name,s.getDescriptor(),null,null);
      k.visitCode();
      boolean ctor=h.getTag()==H_NEWINVOKESPECIAL;
      List<Type> want=new ArrayList<>();
      if(!ctor&&h.getTag()!=H_INVOKESTATIC) want.add(Type.getObjectType(h.getOwner()));
      want.addAll(Arrays.asList(Type.getArgumentTypes(h.getDesc())));
      if(ctor){
        k.visitTypeInsn(NEW,h.getOwner());
        k.visitInsn(DUP);
      }
      int wi=0;
      for(int i=0;i<cap.length;i++){
        k.visitVarInsn(ALOAD,0);
        k.visitFieldInsn(GETFIELD,ln,"f"+i,cap[i].getDescriptor());
        conv(k,cap[i],want.get(wi++));
      }
      Type[] sa=s.getArgumentTypes(), ia=inst.getArgumentTypes();
      v=1;
      for(int i=0;i<sa.length;i++){
        k.visitVarInsn(sa[i].getOpcode(ILOAD),v);
        v+=sa[i].getSize();
        conv(k,sa[i],ia[i]);
        conv(k,ia[i],want.get(wi++));
      }
      Type rt;
      switch(h.getTag()){
        case H_INVOKESTATIC:
          k.visitMethodInsn(INVOKESTATIC,h.getOwner(),h.getName(),h.getDesc(),h.isInterface());
        rt=Type.getReturnType(h.getDesc());
        break;
        case H_NEWINVOKESPECIAL:
          k.visitMethodInsn(INVOKESPECIAL,h.getOwner(),"<init>",h.getDesc(),false);
        rt=Type.getObjectType(h.getOwner());
        break;
        case H_INVOKEINTERFACE:
          k.visitMethodInsn(INVOKEINTERFACE,h.getOwner(),h.getName(),h.getDesc(),true);
        rt=Type.getReturnType(h.getDesc());
        break;
        case H_INVOKEVIRTUAL:
          k.visitMethodInsn(INVOKEVIRTUAL,h.getOwner(),h.getName(),h.getDesc(),false);
        rt=Type.getReturnType(h.getDesc());
        break;
        default: throw new RuntimeException("handle "+h+" in "+c.name);
      }
      Type sr=s.getReturnType();
      if(sr.getSort()==Type.VOID){
        if(rt.getSize()==2)k.visitInsn(POP2);
        else if(rt.getSize()==1)k.visitInsn(POP);
      } else {
        Type ir=inst.getReturnType();
        conv(k,rt,ir);
        conv(k,ir,sr);
      }
      k.visitInsn(sr.getOpcode(IRETURN));
      k.visitMaxs(0,0);
      k.visitEnd();
    }
    w.visitEnd();
    write(ln+".class",w.toByteArray());
  }
  static boolean prim(Type t){return t.getSort()<=Type.DOUBLE;}
  static final String[] W={"","java/lang/Boolean","java/lang/Character","java/lang/Byte",
                           "java/lang/Short","java/lang/Integer","java/lang/Float","java/lang/Long",
                           "java/lang/Double"};
  static Type unboxed(Type t){
    for(int i=1;i<=8;i++)
      if(t.getSort()==Type.OBJECT&&t.getInternalName().equals(W[i]))
        return new Type[]{null,Type.BOOLEAN_TYPE,Type.CHAR_TYPE,Type.BYTE_TYPE,Type.SHORT_TYPE,
                          Type.INT_TYPE,Type.FLOAT_TYPE,Type.LONG_TYPE,Type.DOUBLE_TYPE}
    [i];
    return null;
  }
  static void conv(MethodVisitor k,Type f,Type t){
    if(f.equals(t)) return;
    if(prim(f)&&prim(t)){
      widen(k,f,t);
    } else if(prim(f)){
      Type u=unboxed(t);
      if(u!=null&&!u.equals(f)){
        widen(k,f,u);
        f=u;
      }
      String n=W[f.getSort()];
      k.visitMethodInsn(INVOKESTATIC,n,"valueOf","("+f.getDescriptor()+")L"+n+";",false);
    } else if(prim(t)){
      Type u=unboxed(f);
      if(u==null){
        u=t;
        k.visitTypeInsn(CHECKCAST,W[t.getSort()]);
      }
      k.visitMethodInsn(INVOKEVIRTUAL,W[u.getSort()],u.getClassName()+"Value",
                        "()"+u.getDescriptor(),false);
      widen(k,u,t);
    }
    else if(!t.getInternalName().equals("java/lang/Object")) k.visitTypeInsn(
        CHECKCAST,t.getInternalName());
  }
  static void widen(MethodVisitor k,Type f,Type t){
    if(f.equals(t)) return;
    int a=f.getSort(), b=t.getSort();
    switch(b){
      case Type.LONG: if(a<=Type.INT)k.visitInsn(I2L);
      else if(a==Type.FLOAT)k.visitInsn(F2L);
      break;
      case Type.FLOAT: if(a<=Type.INT)k.visitInsn(I2F);
      else if(a==Type.LONG)k.visitInsn(L2F);
      break;
      case Type.DOUBLE: if(a<=Type.INT)k.visitInsn(I2D);
      else if(a==Type.LONG)k.visitInsn(L2D);
      else if(a==Type.FLOAT)k.visitInsn(F2D);
      break;
    }
  }
}
