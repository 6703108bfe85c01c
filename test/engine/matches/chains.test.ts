/** Matches of chains that are not accepted as a whole. */
import assert from 'node:assert/strict';
import { groupsOf, placesOf } from '../corpusOf.ts';

suite('chains', () => {
  test('functions between others that are not similar are found', () => {
    // Only a dense part of these two types is accepted. Its longest section is in the last method, and the two methods
    // before it are another one.
    const importer = [
      ...declaration('Importer', []),
      ...constructed('Importer', ['return &Importer{file: file, lines: lines, waiting: make(map[*Entry]uint)}']),
      ...released('im', 'Importer', '(*os.File, *bufio.Scanner)', ':=', 'return file, lines'),
      ...method('im', 'Importer', 'Next() (*Entry, error)', 'entry == nil', [
        '\tfor im.lines.Scan() {',
        '\t\ttext := strings.TrimSpace(im.lines.Text())',
        '\t\tif text == "" || strings.HasPrefix(text, "#") {',
        '\t\t\tcontinue',
        '\t\t}',
        '\t\tentry, err = parse(text, im.seen)',
        '\t\tim.seen++',
        '\t\tswitch {',
        '\t\tcase errors.Is(err, ErrVersion):',
        '\t\t\tfmt.Fprintf(os.Stderr, "line %d: %v", im.seen, err)',
        '\t\tcase err != nil:',
        '\t\t\treturn nil, err',
        '\t\t}',
        '\t}',
        '\treturn entry, err',
      ]),
    ];
    const exporter = [
      ...declaration('Exporter', ['\tencode        func(*Entry, io.Writer) error']),
      ...constructed('Exporter', [
        'return &Exporter{',
        '\tfile:    file,',
        '\tlines:   lines,',
        '\twaiting: make(map[*Entry]uint),',
        '\tencode:  (*Entry).Encode,',
        '}',
      ]),
      'func NewCompactExporter(file *os.File, lines *bufio.Scanner) *Exporter {',
      '\tex := NewExporter(file, lines)',
      '\tex.encode = (*Entry).EncodeCompact',
      '\treturn ex',
      '}',
      '',
      ...released('ex', 'Exporter', '(file *os.File, lines *bufio.Scanner)', '=', 'return'),
      ...method('ex', 'Exporter', 'Put(entry *Entry) error', 'err != nil', [
        '\tbuffer := bytes.NewBuffer(make([]byte, 0, 4096))',
        '\terr = ex.encode(entry, buffer)',
        '\tfor tries := 0; err == nil && buffer.Len() > 0; tries++ {',
        '\t\tvar count int64',
        '\t\tcount, err = buffer.WriteTo(ex.file)',
        '\t\tex.written += int(count)',
        '\t\ttime.Sleep(time.Duration(tries) * time.Millisecond)',
        '\t}',
        '\treturn err',
      ]),
    ];
    const lines = [...importer, ...exporter];
    const places = groupsOf({ 'a.go': lines.join('\n') }).map(placesOf);
    const expected = ['im', 'ex'].map((receiver) => {
      const first = lines.findIndex((line) => line.startsWith(`func (${receiver} `) && line.includes(' Release('));
      const last =
        lines.findIndex((line, i) => i > first && line.startsWith(`func (${receiver} `) && line.includes(' Stop(')) + 6;
      return `a.go:${first + 1}-${last + 1}`;
    });
    assert.ok(
      places.some((place) => place.join() === expected.join()),
      `${expected.join(' ')} is not in ${JSON.stringify(places)}`,
    );
  });
});

function declaration(type: string, last: readonly string[]): string[] {
  return [
    `type ${type} struct {`,
    '\tlock          sync.Mutex',
    '\tfile          *os.File',
    '\tlines         *bufio.Scanner',
    '\tbad, closed   error',
    '\tpage          io.ReadCloser',
    '\tseen, written int',
    '\twaiting       map[*Entry]uint',
    '\torder         sequence.Queue',
    ...last,
    '}',
    '',
  ];
}

function constructed(type: string, result: readonly string[]): string[] {
  return [
    `func New${type}(file *os.File, lines *bufio.Scanner) *${type} {`,
    '\tif lines == nil {',
    '\t\tlines = bufio.NewScanner(file)',
    '\t}',
    ...result.map((line) => `\t${line}`),
    '}',
    '',
  ];
}

function released(self: string, type: string, results: string, sets: string, returns: string): string[] {
  return [
    `func (${self} *${type}) Release() ${results} {`,
    `\t${self}.lock.Lock()`,
    `\tdefer ${self}.lock.Unlock()`,
    `\tfile ${sets} ${self}.file`,
    `\tlines ${sets} ${self}.lines`,
    `\t${self}.file = nil`,
    `\t${self}.lines = nil`,
    `\t${returns}`,
    '}',
    '',
    `func (${self} *${type}) Stop() error {`,
    `\tfile, _ := ${self}.Release()`,
    '\tif file != nil {',
    '\t\treturn file.Close()',
    '\t}',
    '\treturn nil',
    '}',
    '',
  ];
}

function method(self: string, type: string, head: string, condition: string, rest: readonly string[]): string[] {
  return [
    `func (${self} *${type}) ${head} {`,
    '\tvar err error',
    `\tticket := ${self}.order.Take()`,
    `\t${self}.order.BeginEntry(ticket)`,
    '\tdefer func() {',
    `\t\t${self}.order.FinishEntry(ticket)`,
    `\t\tif ${condition} {`,
    `\t\t\t${self}.order.BeginReply(ticket)`,
    `\t\t\t${self}.order.FinishReply(ticket)`,
    '\t\t} else {',
    `\t\t\t${self}.lock.Lock()`,
    `\t\t\t${self}.waiting[entry] = ticket`,
    `\t\t\t${self}.lock.Unlock()`,
    '\t\t}',
    '\t}()',
    `\t${self}.lock.Lock()`,
    ...rest,
    '}',
    '',
  ];
}
