/**
 * Edits that copy nothing: new functions, methods, and tests, added branches, renamed variables, imports, settings. The
 * cases at even places are for tuning, and the others are held back.
 */

/**
 * @typedef {object} Other
 * @property {'devtools' | 'networkx'} tree
 * @property {string} path
 * @property {number} [after]   line that the text is inserted after; the end of the file by default
 * @property {string} [text]
 * @property {readonly [from: string, to: string]} [rename]   renames all occurrences of a word instead
 */

/** @type {readonly Other[]} */
export const others = [
  {
    tree: 'devtools',
    path: 'front_end/core/common/Debouncer.ts',
    text: `
/** Runs a function at most once in a number of animation frames, with the arguments of the last call. */
export function everyFrames<T extends unknown[]>(count: number, callback: (...args: T) => void): (...args: T) => void {
  let pending: T|null = null;
  let left = 0;
  const tick = (): void => {
    if (--left > 0) {
      requestAnimationFrame(tick);
      return;
    }
    const args = pending;
    pending = null;
    if (args) {
      callback(...args);
    }
  };
  return (...args: T): void => {
    if (pending === null) {
      left = count;
      requestAnimationFrame(tick);
    }
    pending = args;
  };
}
`,
  },
  {
    tree: 'devtools',
    path: 'front_end/core/common/Mutex.ts',
    after: 54,
    text: `
  /** Rejects if the lock is not free within the time. */
  async acquireWithin(milliseconds: number): Promise<ReleaseFunction> {
    let timer: ReturnType<typeof setTimeout>|undefined;
    const expired = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(\`The lock is still held after \${milliseconds} ms\`)), milliseconds);
    });
    try {
      return await Promise.race([this.acquire(), expired]);
    } finally {
      clearTimeout(timer);
    }
  }
`,
  },
  {
    tree: 'devtools',
    path: 'front_end/panels/network/NetworkDataGridNode.ts',
    after: 856,
    text: `
  static CompressionRatioComparator(a: NetworkNode, b: NetworkNode): number {
    const [first, second] = [a, b].map(node => {
      const request = node.requestOrFirstKnownChildRequest();
      return request && request.transferSize > 0 ? request.resourceSize / request.transferSize : 0;
    });
    return first - second;
  }
`,
  },
  {
    tree: 'devtools',
    path: 'front_end/core/platform/DateUtilities.ts',
    text: `
/** Returns the monday of the week of a date, at midnight. */
export const startOfWeek = (date: Date): Date => {
  const monday = new Date(date);
  monday.setHours(0, 0, 0, 0);
  monday.setDate(monday.getDate() - (monday.getDay() + 6) % 7);
  return monday;
};
`,
  },
  {
    tree: 'devtools',
    path: 'front_end/models/extensions/HostUrlPattern.ts',
    text: `
/** Sorts patterns so that those with more labels, and without a wildcard, come first. */
export function compareSpecificity(a: string, b: string): number {
  const labelsOf = (pattern: string): string[] => pattern.split('/')[2]?.split('.') ?? [];
  const [left, right] = [labelsOf(a), labelsOf(b)];
  const wildcards = Number(left.includes('*')) - Number(right.includes('*'));
  if (wildcards !== 0) {
    return wildcards;
  }
  return right.length - left.length || a.localeCompare(b);
}
`,
  },
  {
    tree: 'devtools',
    path: 'front_end/core/common/StringOutputStream.ts',
    text: `
/** Keeps only the last lines that were written, like the tail of a log. */
export class TailOutputStream implements OutputStream {
  readonly #maxLines: number;
  #lines: string[] = [''];

  constructor(maxLines: number) {
    this.#maxLines = maxLines;
  }

  async write(chunk: string): Promise<void> {
    const [first, ...more] = chunk.split('\\n');
    this.#lines[this.#lines.length - 1] += first;
    this.#lines.push(...more);
    this.#lines.splice(0, this.#lines.length - this.#maxLines);
  }

  async close(): Promise<void> {
  }

  tail(): readonly string[] {
    return this.#lines;
  }
}
`,
  },
  {
    tree: 'devtools',
    path: 'front_end/panels/sensors/SensorsView.ts',
    text: `
/** Returns points on the great circle between two places, for a simulated journey. */
export function pointsBetween(from: LatLong, to: LatLong, steps: number): LatLong[] {
  const radians = (degrees: number): number => degrees * Math.PI / 180;
  const [phi1, phi2] = [radians(from.lat), radians(to.lat)];
  const deltaLambda = radians(to.long - from.long);
  const angle = Math.acos(
      Math.sin(phi1) * Math.sin(phi2) + Math.cos(phi1) * Math.cos(phi2) * Math.cos(deltaLambda));
  return Array.from({length: steps + 1}, (_, step) => {
    const share = step / steps;
    const a = Math.sin((1 - share) * angle) / Math.sin(angle);
    const b = Math.sin(share * angle) / Math.sin(angle);
    return {lat: a * from.lat + b * to.lat, long: a * from.long + b * to.long};
  });
}
`,
  },
  {
    tree: 'devtools',
    path: 'front_end/panels/elements/DOMPath.ts',
    text: `
/** Returns the shortest selector made of data attributes that matches only this node, if there is one. */
export const dataAttributeSelector = (node: SDK.DOMModel.DOMNode, siblings: SDK.DOMModel.DOMNode[]): string|null => {
  const candidates = node.attributes().filter(({name}) => name.startsWith('data-'));
  for (const {name, value} of candidates) {
    const isUnique = siblings.every(other => other === node || other.getAttribute(name) !== value);
    if (isUnique) {
      return \`[\${name}="\${CSS.escape(value)}"]\`;
    }
  }
  return null;
};
`,
  },
  {
    tree: 'devtools',
    path: 'front_end/models/trace/insights/Cache.ts',
    text: `
/** Groups requests by the reason why they are not cached, the largest group first. */
export function groupByUncachedReason(requests: Types.Events.SyntheticNetworkRequest[]):
    Array<{reason: string, bytes: number}> {
  const bytesByReason = new Map<string, number>();
  for (const request of requests) {
    const control = request.args.data.responseHeaders?.find(header => header.name === 'cache-control');
    const reason = control === undefined ? 'no header' :
        control.value.includes('no-store')  ? 'no-store' :
                                              'short lifetime';
    bytesByReason.set(reason, (bytesByReason.get(reason) ?? 0) + request.args.data.encodedDataLength);
  }
  return [...bytesByReason].map(([reason, bytes]) => ({reason, bytes})).sort((a, b) => b.bytes - a.bytes);
}
`,
  },
  {
    tree: 'devtools',
    path: 'front_end/panels/protocol_monitor/JSONEditor.ts',
    text: `
/** Suggests commands whose words begin with the typed letters, so that "pgn" finds Page.navigate. */
export function commandsByInitials(typed: string, commands: readonly string[]): string[] {
  const letters = typed.toLowerCase();
  const initialsOf = (command: string): string => {
    const [domain, method = ''] = command.split('.');
    return (domain[0] + method.replace(/[a-z]+/g, letterRun => letterRun[0])).toLowerCase();
  };
  return commands.filter(command => initialsOf(command).startsWith(letters)).slice(0, 20);
}
`,
  },
  {
    tree: 'devtools',
    path: 'front_end/core/common/Base64.ts',
    text: `
/** Estimates how many bytes a data URL decodes to, without decoding it. */
export function decodedSizeOfDataUrl(url: string): number|undefined {
  const comma = url.indexOf(',');
  if (!url.startsWith('data:') || comma === -1) {
    return undefined;
  }
  const payload = url.length - comma - 1;
  if (!url.slice(0, comma).endsWith(';base64')) {
    return decodeURIComponent(url.slice(comma + 1)).length;
  }
  const padding = /=*$/.exec(url)?.[0].length ?? 0;
  return Math.floor(payload * 3 / 4) - padding;
}
`,
  },
  {
    tree: 'devtools',
    path: 'front_end/models/bindings/NetworkProject.ts',
    text: `
/** Remembers how often each origin was shown in the tree, for a list of recent origins. */
export class RecentOrigins {
  readonly #counts = new Map<string, {count: number, last: number}>();

  visited(origin: string, now = Date.now()): void {
    const {count} = this.#counts.get(origin) ?? {count: 0};
    this.#counts.set(origin, {count: count + 1, last: now});
  }

  top(limit: number, now = Date.now()): string[] {
    const scoreOf = ({count, last}: {count: number, last: number}): number => count / (1 + (now - last) / 86_400_000);
    return [...this.#counts].sort(([, a], [, b]) => scoreOf(b) - scoreOf(a)).slice(0, limit).map(([origin]) => origin);
  }
}
`,
  },
  {
    tree: 'devtools',
    path: 'front_end/models/formatter/FormatterWorkerPool.ts',
    text: `
/** Chooses the number of workers from the memory and the cores of the machine. */
function workerLimit(): number {
  const cores = Math.max(2, navigator.hardwareConcurrency - 1);
  const gigabytes = (navigator as {deviceMemory?: number}).deviceMemory ?? 4;
  if (gigabytes < 2) {
    return 1;
  }
  return Math.min(cores, Math.floor(gigabytes));
}
`,
  },
  {
    tree: 'devtools',
    path: 'front_end/panels/issues/AffectedSourcesView.ts',
    text: `
interface SourceSummary {
  url: string;
  lines: number[];
}

/** Joins the locations of one file, and shortens runs of lines such as 3, 4, 5 to 3–5. */
export function summarizeLocations(locations: SourceSummary[]): string[] {
  return locations.map(({url, lines}) => {
    const parts: string[] = [];
    const sorted = [...new Set(lines)].sort((a, b) => a - b);
    for (let start = 0; start < sorted.length;) {
      let end = start;
      while (sorted[end + 1] === sorted[end] + 1) {
        end++;
      }
      parts.push(start === end ? String(sorted[start]) : \`\${sorted[start]}–\${sorted[end]}\`);
      start = end + 1;
    }
    return \`\${url}: \${parts.join(', ')}\`;
  });
}
`,
  },
  {
    tree: 'devtools',
    path: 'front_end/models/trace/handlers/UserTimingsHandler.ts',
    after: 116,
    text: `  if (!Number.isFinite(event.ts)) {
    return {start: Types.Timing.Micro(0), end: Types.Timing.Micro(0)};
  }
`,
  },
  {
    tree: 'devtools',
    path: 'front_end/models/extensions/HostUrlPattern.ts',
    after: 36,
    text: `    case 'ws':
      return '80';
    case 'wss':
      return '443';
`,
  },
  { tree: 'devtools', path: 'front_end/core/common/Base64.ts', rename: ['bytesLength', 'decodedLength'] },
  { tree: 'devtools', path: 'front_end/core/sdk/CSSModel.ts', rename: ['sourceURLIndex', 'commentStart'] },
  {
    tree: 'devtools',
    path: 'front_end/panels/issues/AffectedSourcesView.ts',
    after: 10,
    text: `import * as Host from '../../core/host/host.js';
import * as Root from '../../core/root/root.js';
import * as Buttons from '../../ui/components/buttons/buttons.js';
`,
  },
  {
    tree: 'devtools',
    path: 'front_end/models/trace/insights/Cache.ts',
    after: 30,
    text: `  /**
   * @description Column for the age that a response had when it came from the cache.
   */
  ageColumn: 'Age in cache',
  /**
   * @description Text of a row for requests that share an origin.
   */
  sameOrigin: 'Requests of this origin',
`,
  },
  {
    tree: 'devtools',
    path: 'front_end/core/platform/DateUtilities.test.ts',
    text: `describe('startOfWeek', () => {
  it('returns the same day for a monday', () => {
    const monday = new Date(2024, 0, 1, 15, 30);
    assert.strictEqual(startOfWeek(monday).getTime(), new Date(2024, 0, 1).getTime());
  });

  it('goes back across the turn of the year', () => {
    const sunday = new Date(2023, 0, 1);
    assert.strictEqual(startOfWeek(sunday).getFullYear(), 2022);
    assert.strictEqual(startOfWeek(sunday).getDate(), 26);
  });
});
`,
  },
  {
    tree: 'devtools',
    path: 'front_end/tsconfig.bench.json',
    text: `{
  "extends": "./tsconfig.json",
  "compilerOptions": { "noEmit": true, "incremental": false, "skipLibCheck": true },
  "include": ["core", "models"],
  "exclude": ["**/*.test.ts"]
}
`,
  },
  {
    tree: 'networkx',
    path: 'networkx/algorithms/wiener.py',
    text: `

def eccentric_wiener_ratio(G):
    """Ratio of the Wiener index to that of a path with as many nodes."""
    n = G.number_of_nodes()
    if n < 2:
        return 1.0
    longest = n * (n * n - 1) / 6
    return wiener_index(G) / longest
`,
  },
  {
    tree: 'networkx',
    path: 'networkx/algorithms/swap.py',
    text: `

def swap_report(before, after):
    """Describe which edges a series of swaps removed and added."""
    old = {frozenset(edge) for edge in before.edges()}
    new = {frozenset(edge) for edge in after.edges()}
    kept = len(old & new)
    share = kept / len(old) if old else 1.0
    return {
        "removed": sorted(map(sorted, old - new)),
        "added": sorted(map(sorted, new - old)),
        "kept": share,
    }
`,
  },
  {
    tree: 'networkx',
    path: 'networkx/generators/expanders.py',
    text: `

def random_lift(G, layers, rng):
    """Random lift of a graph: each edge becomes a random matching of layers."""
    H = nx.Graph()
    H.add_nodes_from((node, layer) for node in G for layer in range(layers))
    for u, v in G.edges():
        order = list(range(layers))
        rng.shuffle(order)
        for layer, other in enumerate(order):
            H.add_edge((u, layer), (v, other))
    return H
`,
  },
  {
    tree: 'networkx',
    path: 'networkx/generators/small.py',
    text: `

@_raise_on_directed
def windmill_of_triangles(count, create_using=None):
    """Triangles that share one node."""
    G = nx.empty_graph(1, create_using)
    for blade in range(count):
        a, b = 2 * blade + 1, 2 * blade + 2
        G.add_edges_from([(0, a), (a, b), (b, 0)])
    G.name = f"Windmill of {count} triangles"
    return G
`,
  },
  {
    tree: 'networkx',
    path: 'networkx/utils/misc.py',
    text: `

def chunked_by_weight(items, weight, limit):
    """Yield lists of consecutive items whose total weight stays within a limit."""
    chunk, filled = [], 0
    for item in items:
        size = weight(item)
        if chunk and filled + size > limit:
            yield chunk
            chunk, filled = [], 0
        chunk.append(item)
        filled += size
    if chunk:
        yield chunk
`,
  },
  {
    tree: 'networkx',
    path: 'networkx/algorithms/threshold.py',
    text: `

def isolated_prefix(creation_sequence):
    """Number of isolated nodes at the beginning, and the share of dominating ones after them."""
    first = next((i for i, kind in enumerate(creation_sequence) if kind == "d"), None)
    if first is None:
        return len(creation_sequence), 0.0
    rest = creation_sequence[first:]
    return first, sum(kind == "d" for kind in rest) / len(rest)
`,
  },
  {
    tree: 'networkx',
    path: 'networkx/algorithms/cluster.py',
    text: `

def clustering_histogram(G, bins=10):
    """Histogram of the clustering coefficients, as text for a terminal."""
    counts = [0] * bins
    for value in clustering(G).values():
        counts[min(int(value * bins), bins - 1)] += 1
    most = max(counts) or 1
    return "\\n".join(
        f"{i / bins:4.2f} {'#' * round(40 * count / most)} {count}"
        for i, count in enumerate(counts)
    )
`,
  },
  {
    tree: 'networkx',
    path: 'networkx/algorithms/structuralholes.py',
    text: `

def broker_score(G, node, group_of):
    """Share of the pairs of neighbors in other groups that only this node connects."""
    neighbors = [n for n in G[node] if group_of[n] != group_of[node]]
    pairs = brokered = 0
    for i, a in enumerate(neighbors):
        for b in neighbors[i + 1 :]:
            if group_of[a] == group_of[b]:
                continue
            pairs += 1
            common = set(G[a]) & set(G[b])
            brokered += common == {node}
    return brokered / pairs if pairs else 0.0
`,
  },
  {
    tree: 'networkx',
    path: 'networkx/drawing/layout.py',
    text: `

def snap_to_grid(pos, cell):
    """Move each node to the nearest free corner of a grid."""
    taken = set()
    snapped = {}
    for node, (x, y) in sorted(pos.items(), key=lambda item: str(item[0])):
        column, row = round(x / cell), round(y / cell)
        while (column, row) in taken:
            column += 1
        taken.add((column, row))
        snapped[node] = (column * cell, row * cell)
    return snapped
`,
  },
  {
    tree: 'networkx',
    path: 'networkx/readwrite/sparse6.py',
    text: `

def compare_encodings(G):
    """Length of a graph in the sparse6 format, and its advantage over an edge list."""
    encoded = to_sparse6_bytes(G, header=False)
    lines = sum(len(f"{u} {v}\\n") for u, v in G.edges())
    return {"sparse6": len(encoded), "edges": lines, "saved": 1 - len(encoded) / max(lines, 1)}
`,
  },
  {
    tree: 'networkx',
    path: 'networkx/algorithms/community/modularity_max.py',
    text: `

def describe_merges(history):
    """Turn a list of merges into nested tuples, the last merge outermost."""
    trees = {}
    for small, large in history:
        left = trees.pop(small, small)
        right = trees.pop(large, large)
        trees[large] = (left, right)
    return list(trees.values())
`,
  },
  {
    tree: 'networkx',
    path: 'networkx/algorithms/centrality/closeness.py',
    text: `

class ClosenessTracker:
    """Keeps closeness values and recomputes those whose distances may have changed."""

    def __init__(self, G):
        self.G = G
        self.values = closeness_centrality(G)
        self.stale = set()

    def touch(self, u, v):
        self.stale |= nx.node_connected_component(self.G, u)
        self.stale |= nx.node_connected_component(self.G, v)

    def refresh(self):
        for node in self.stale:
            self.values[node] = closeness_centrality(self.G, node)
        self.stale.clear()
        return self.values
`,
  },
  {
    tree: 'networkx',
    path: 'networkx/algorithms/tests/test_wiener.py',
    text: `
    def test_ratio_of_star(self):
        """A star has the smallest index of all trees."""
        star = DiGraph([(0, leaf) for leaf in range(1, 6)]).to_undirected()
        path = path_graph(6)
        assert wiener_index(star) < wiener_index(path)
        assert wiener_index(star) == 25
`,
  },
  {
    tree: 'networkx',
    path: 'networkx/utils/tests/test_misc.py',
    text: `

@pytest.mark.parametrize("limit, sizes", [(1, [1, 1, 1, 1]), (2, [2, 2]), (3, [3, 1]), (9, [4])])
def test_chunked_by_weight(limit, sizes):
    chunks = list(nx.utils.misc.chunked_by_weight("abcd", lambda item: 1, limit))
    assert [len(chunk) for chunk in chunks] == sizes
    assert "".join(sum(chunks, [])) == "abcd"
`,
  },
  {
    tree: 'networkx',
    path: 'networkx/utils/misc.py',
    after: 102,
    text: `    if isinstance(obj, bytes):
        return obj
`,
  },
  { tree: 'networkx', path: 'networkx/algorithms/assortativity/mixing.py', rename: ['psum', 'total'] },
  {
    tree: 'networkx',
    path: 'networkx/algorithms/swap.py',
    after: 4,
    text: `import itertools
from collections import Counter, defaultdict
`,
  },
  {
    tree: 'networkx',
    path: 'networkx/setup_bench.cfg',
    text: `[flake8]
max-line-length = 100
exclude = build, dist, doc
per-file-ignores =
    __init__.py: F401, F403
    tests/*: E731
`,
  },
];
