/** Data of an HTML report. */
import { inflateRawSync } from 'node:zlib';
import type { EmbeddedPageData } from '../../../src/presentation/wording/pageData.ts';

/** Returns the data in a page. */
export function dataIn(html: string): EmbeddedPageData {
  const packed = /<script type="text\/plain" id="data">\s*([\w+/=]+)\s*<\/script>/.exec(html)![1];
  return JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString()) as EmbeddedPageData;
}
