import fs from 'node:fs'; import path from 'node:path';
import {build} from 'esbuild';
await build({stdin:{contents:`export {Kernel,createMemory} from '/work/wt/lexer/src/engine/kernel.ts'; export * from '/work/wt/lexer/src/engine/lexicon.ts';export * from '/work/wt/lexer/src/engine/embedded.ts';`,resolveDir:'/work/wt/lexer',loader:'ts'},bundle:true,format:'esm',platform:'node',target:'node20',outfile:'/tmp/bl-lib.mjs',loader:{'.wasm':'binary'}});
const {Kernel,createMemory,compileLexicon,lexiconForPath,segments}=await import('/tmp/bl-lib.mjs');
const K=['p','o','k','i','c','n','s','w','h','#'];
const k=new Kernel(createMemory());
const [,,dir,ext,minLines='30']=process.argv;
const files=fs.readdirSync(dir,{recursive:true}).filter(f=>f.endsWith(ext)).map(f=>path.join(dir,f)).filter(f=>{try{return fs.statSync(f).isFile()}catch{return false}});
const max=8e6;const src=k.allocate(max+64),lx=k.allocate(65536),t=k.allocate(4*max),st=k.allocate(4*max),le=k.allocate(2*max),li=k.allocate(12*max),r=k.allocate(64);
// report runs of string tokens over >= minLines lines, and gaps without tokens > 60 lines that are not comments
for (const f of files){ const b=fs.readFileSync(f); if(b.length>max/2)continue; k.bytes.set(b,src); k.bytes.fill(0,r,r+64);
 let n=0; for(const s of segments(b,lexiconForPath(f))){k.bytes.set(compileLexicon(s.lexicon,{imports:false}),lx);k.exports.lex(src,b.length,lx,t,st,le,li,r,n,s.start,s.end);n=k.words[r/4];}
 const w=k.words; let run=0,startLine=0,lineOf=(o)=>b.subarray(0,o).toString('latin1').split('\n').length;
 let i=0; while(i<n){ if((w[t/4+i]&15)===6){let j=i;while(j<n&&(w[t/4+j]&15)===6)j++; if(j-i>40){const a=w[st/4+i],z=w[st/4+j-1]; const lines=b.subarray(a,z).toString('latin1').split('\n').length; if(lines>=+minLines) console.log(f+':'+lineOf(a),lines,'lines of string:',JSON.stringify(b.subarray(a-10,a+50).toString()));} i=j;} else i++; }
}
