import re,sys
base=sys.argv[1]
def groups(f):
    t=open(base+'/'+f).read()
    t=re.sub(r'^\s*//.*$','',t,flags=re.M)
    g={}
    for m in re.finditer(r'filegroup\s*\{(.*?)\n\}',t,flags=re.S):
        b=m.group(1)
        n=re.search(r'name:\s*"([^"]+)"',b).group(1)
        s=re.search(r'srcs:\s*\[(.*?)\]',b,flags=re.S).group(1)
        g[n]=re.findall(r'"([^"]+)"',s)
    return g
g={}
for f in ('openjdk_java_files.bp','non_openjdk_java_files.bp'): g.update(groups(f))
def exp(n,out):
    for x in g[n]:
        if x.startswith(':'): exp(x[1:],out)
        else: out.append(x)
for n in sys.argv[2:]:
    o=[];exp(n,o)
    for x in dict.fromkeys(o): print(base+'/'+x)
