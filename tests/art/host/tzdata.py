# mktz.py ZONEINFO OUT : Android's bundled tzdata file from the system's zoneinfo (TZif with v1
# data)
import os,sys,struct
z=sys.argv[1]; names=[]
for d,_,fs in os.walk(z):
    for f in fs:
        p=os.path.join(d,f); n=os.path.relpath(p,z)
        if (n.startswith(('posix/','right/')) or n in ('posixrules','localtime','Factory')
            or len(n)>=40):
            continue
        b=open(p,'rb').read()
        if b[:4]==b'TZif': names.append((n,b))
names.sort()
def v1(b):
    # keep the version-1 block only; rebuild it from the 64-bit block if it is empty (slim files)
    h=struct.unpack('>6I',b[20:44]); l=h[3]*5+h[4]*6+h[5]+h[2]*8+h[1]+h[0]
    if h[3] or b[4:5]==b'\0': return b[:44+l]
    c=b[44+l:]; g,s,lp,t,y,ch=struct.unpack('>6I',c[20:44]); o=44
    tr=struct.unpack('>%dq'%t,c[o:o+8*t]); o+=8*t; ix=c[o:o+t]; o+=t; rest=c[o:o+6*y+ch]
    k=[i for i in range(t) if -2**31<=tr[i]<2**31]
    return (b'TZif'+b'\0'*16+struct.pack('>6I',0,0,0,len(k),y,ch)
            +b''.join(struct.pack('>i',tr[i]) for i in k)+bytes(ix[i] for i in k)+rest)
data=b''; idx=b''
for n,b in names:
    b=v1(b); idx+=n.encode().ljust(40,b'\0')+struct.pack('>3I',len(data),len(b),
                                                         0); data+=b; data+=b'\0'*(-len(data)%4)
tab=b'\n'
if os.path.exists(z+'/zone.tab'): tab=open(z+'/zone.tab','rb').read()
hd=24; out=b'tzdata2024a\0'+struct.pack('>3I',hd,hd+len(idx),hd+len(idx)+len(data))+idx+data+tab
open(sys.argv[2],'wb').write(out); print(len(names),'zones')
