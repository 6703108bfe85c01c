/**
 * The library in a browser: a page and a worker load dist/engine.js unchanged and run a program with it. The page is
 * not cross-origin isolated.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { openBrowser } from '../../scripts/browser.mjs';
import { root } from '../../scripts/project.mjs';
import { consumerPrints, consumerProgram } from '../engine/consumer.ts';

const page = `<!doctype html><meta charset="utf-8"><script type="importmap">{ "imports": { "kindred": "/engine.js" } }</script>
<script type="module" src="/consumer.js"></script>`;

/** Import maps do not apply to workers. */
const workerProgram = (): string => consumerProgram().replace("from 'kindred'", "from '/engine.js'");

/** Files of the web server, by path. */
const files: Readonly<Record<string, () => [type: string, text: string | Buffer]>> = {
  '/': () => ['text/html', page],
  '/worker': () => ['text/html', `<script>new Worker('/worker.js', { type: 'module' })</script>`],
  '/worker.js': () => ['text/javascript', workerProgram()],
  '/engine.js': () => ['text/javascript', readFileSync(path.join(root, 'dist/engine.js'))],
  '/consumer.js': () => ['text/javascript', consumerProgram()],
};

suite('library in a browser', () => {
  for (const [name, address] of [
    ['page', '/'],
    ['worker', '/worker'],
  ]) {
    test(`gives the same results in a ${name} as in Node`, async () => {
      const server = createServer((request, response) => {
        const file = files[request.url ?? ''];
        if (file === undefined) return response.writeHead(404).end();
        const [type, text] = file();
        return response.writeHead(200, { 'content-type': type }).end(text);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const browser = await openBrowser({ width: 400, height: 300 });
      try {
        const errors: string[] = [];
        browser.page.on('pageerror', (error) => errors.push(String(error)));
        const printed = browser.page.waitForEvent('console', {
          predicate: (message) => message.type() === 'log',
          timeout: 300_000,
        });
        await browser.page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${address}`);
        const message = await printed.catch((error: unknown) => assert.fail([...errors, String(error)].join('\n')));
        assert.deepEqual(JSON.parse(message.text()), consumerPrints);
        assert.deepEqual(errors, []);
      } finally {
        await browser.close();
        server.close();
      }
    });
  }
});
