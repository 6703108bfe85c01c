/**
 * Entry point of the single-file HTML report. Decompresses the data that the command line has embedded, and shows them.
 * Makes no network requests.
 */
import type { EmbeddedPageData } from '../../../presentation/wording/pageData.ts';
import { element } from './elements.ts';
import { showReport } from './reportView.ts';

void begin();

async function begin(): Promise<void> {
  const app = document.getElementById('app')!;
  try {
    const data = await unpack(document.getElementById('data')!.textContent);
    showReport({ ...data, textOf: (group, place) => data.texts[`${group} ${place}`] }, app);
  } catch (error) {
    app.replaceChildren(
      element('p', { class: 'verdict broken' }, `This report cannot be shown here: ${String(error)}`),
    );
  }
}

/** Decodes the embedded data: JSON that was compressed with Deflate and encoded in Base64. */
async function unpack(packed: string): Promise<EmbeddedPageData> {
  const bytes = Uint8Array.from(atob(packed.trim()), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return (await new Response(stream).json()) as EmbeddedPageData;
}
