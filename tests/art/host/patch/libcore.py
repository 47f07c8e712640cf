# adapts libcore 10 sources; argv[1] = libcore source directory
import sys
B=sys.argv[1]
def sub(p,*pairs):
    p=B+'/'+p; s=open(p).read()
    for a,b in pairs:
        if b in s and (a in b or a not in s): continue
        assert a in s,(p,a)
        s=s.replace(a,b)
    open(p,'w').write(s)
def cut(p,start,end,new):
    p=B+'/'+p; s=open(p).read()
    if new in s: return
    i=s.index(start); j=s.index(end,i)
    open(p,'w').write(s[:i]+new+s[j:])
sub('ojluni/src/main/java/java/text/DecimalFormat.java',
    ('DecimalFormat_ICU58_Android','DecimalFormat'))
sub('ojluni/src/main/java/sun/util/locale/provider/CalendarDataUtility.java',
    ('return new DateFormatSymbols(ULocale.forLocale(locale), calendarType);',
     'return new DateFormatSymbols(ULocale.forLocale(locale));'))
cut('ojluni/src/main/java/java/time/format/DateTimeFormatterBuilder.java',
    'String pattern = Calendar.getDateTimeFormatString(','return pattern;',
    '''int ds = convertStyle(dateStyle), ts = convertStyle(timeStyle);
        ULocale ul = ULocale.forLocale(locale);
        android.icu.text.DateFormat df = ts < 0 \
? android.icu.text.DateFormat.getDateInstance(ds, ul)
                : ds < 0 ? android.icu.text.DateFormat.getTimeInstance(ts, ul)
                : android.icu.text.DateFormat.getDateTimeInstance(ds, ts, ul);
        String pattern = ((android.icu.text.SimpleDateFormat) df).toPattern();
        ''')
sub('luni/src/main/native/java_math_NativeBN.cpp',
    ('BIGNUM positiveA;\n  BN_init(&positiveA);','BIGNUM* positiveA = BN_new();'),
    ('&positiveA','positiveA'))
# use the data built into Debian's libicudata
cut('luni/src/main/native/libcore_icu_ICU.cpp',
    '    // Tell ICU it can *only* use our memory-mapped data.','    u_init(&status);',
    '    /* host */\n')

# ICU 72 has converters without a Java-legal name ("UTF-16,version=1")
sub('luni/src/main/native/libcore_icu_NativeConverter.cpp',
    ('    name = icuCanonicalName;\n  }\n','    name = icuCanonicalName;\n  }\n'
     '  if (strchr(name, 44) != NULL) return env->NewStringUTF("UTF-8");\n'))

# no BouncyCastle, no Conscrypt here: only the small stand-in provider
for p in ('luni/src/main/java/java/security/security.properties',):
    q=B+'/'+p; t=open(q).read(); open(q,'w').write(''.join(l for l in t.splitlines(True) if not (
        l.startswith('security.provider.3') or l.startswith('security.provider.4'))))
sub('ojluni/src/main/java/java/security/Security.java',
    ('        props.put("security.provider.3", '
     '"com.android.org.bouncycastle.jce.provider.BouncyCastleProvider");\n'
     '        props.put("security.provider.4", "com.android.org.conscrypt.JSSEProvider");',
     '        // host: no BouncyCastleProvider, JSSEProvider'))
