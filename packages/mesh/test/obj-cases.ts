import type { RejectionCode } from '../src/types.ts'

/** An OBJ as text, with the expected result. */
export type ObjCase = { name: string; text: string } & (
  | { refused: RejectionCode; says?: RegExp }
  | { triangles: number; parts?: string[]; warns?: RegExp[] }
)

const SQUARE = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n'

export const OBJ_CASES: ObjCase[] = [
  { name: 'a triangle', text: `${SQUARE}f 1 2 3\n`, triangles: 1 },
  { name: 'no line end after the last line', text: `${SQUARE}f 1 2 3`, triangles: 1 },
  { name: 'a quad', text: `${SQUARE}f 1 2 3 4\n`, triangles: 2 },
  { name: 'negative indices', text: `${SQUARE}f -4 -3 -2 -1\n`, triangles: 2 },
  { name: 'texture indices', text: `${SQUARE}vt 0 0\nf 1/1 2/1 3/1\n`, triangles: 1 },
  { name: 'normal indices', text: `${SQUARE}vn 0 0 1\nf 1//1 2//1 3//1\n`, triangles: 1 },
  { name: 'all three', text: `${SQUARE}f 1/-1/-1 2/2/2 3/3/3\n`, triangles: 1 },
  { name: 'a byte order mark', text: `\ufeff${SQUARE}f 1 2 3\n`, triangles: 1 },
  { name: 'CRLF', text: `${SQUARE}f 1 2 3\n`.replaceAll('\n', '\r\n'), triangles: 1 },
  { name: 'CR alone', text: `${SQUARE}f 1 2 3\n`.replaceAll('\n', '\r'), triangles: 1 },
  { name: 'a continued line', text: `${SQUARE}f 1 2 \\\n 3 \\\r\n 4\n`, triangles: 2 },
  {
    name: 'a comment that ends like a Windows path',
    text: `# made in C:\\models\\\n${SQUARE}f 1 2 3 # a note\n`,
    triangles: 1,
  },
  { name: 'tabs and spaces', text: `\t${SQUARE.replaceAll(' ', ' \t ')}  f\t1  2  3  \n`, triangles: 1 },
  { name: 'corners with colours', text: `${SQUARE.replaceAll('\n', ' 0.5 0.5 1\n')}f 1 2 3\n`, triangles: 1 },
  { name: 'numbers in exponents', text: 'v 1e1 0 0\nv 1E+1 5 .5\nv -1.5e-3 2. 0\nf 1 2 3\n', triangles: 1 },
  {
    name: 'objects and groups',
    text: `o lid\n${SQUARE}f 1 2 3\ng empty\no  a box \nf 1 2 3 4\n`,
    triangles: 3,
    parts: ['lid', 'a box'],
  },
  {
    name: 'materials, smoothing, lines and points',
    text: `mtllib ../../etc/passwd\n${SQUARE}usemtl red\ns off\nl 1 2\np 1\nf 1 2 3\n`,
    triangles: 1,
  },
  {
    name: 'curves next to faces',
    text: `${SQUARE}cstype bezier\nsurf 0 1 0 1 1 2\nend\nf 1 2 3\n`,
    triangles: 1,
    warns: [/1 curved surface ignored/],
  },
  {
    name: 'words of another program',
    text: `${SQUARE}zorder 5\ncsh rm -rf /\nf 1 2\nf 1 2 3\n`,
    triangles: 1,
    warns: [/3 lines not understood .* line 5/],
  },
  { name: 'only corners', text: SQUARE, refused: 'no-triangles' },
  { name: 'only comments', text: '# v 0 0 0\n', refused: 'no-triangles' },
  {
    name: 'a corner after its face',
    text: `f 1 2 3\n${SQUARE}`,
    refused: 'bad-syntax',
    says: /Line 1 .*corner 1/,
  },
  {
    name: 'a corner that is not there',
    text: `${SQUARE}f 1 2 5\n`,
    refused: 'bad-syntax',
    says: /Line 5 .*corner 5, but only 4 are/,
  },
  {
    name: 'a corner before the first',
    text: `${SQUARE}f 1 2 -5\n`,
    refused: 'bad-syntax',
    says: /corner -5/,
  },
  { name: 'corner nought', text: `${SQUARE}f 0 1 2\n`, refused: 'bad-syntax', says: /found "0"/ },
  { name: 'an index beyond all numbers', text: `${SQUARE}f 1 2 ${'9'.repeat(400)}\n`, refused: 'bad-syntax' },
  {
    name: 'an index that is a word',
    text: `${SQUARE}f 1 2 x\n`,
    refused: 'bad-syntax',
    says: /Line 5 .*found "x"/,
  },
  { name: 'too many slashes', text: `${SQUARE}f 1/1/1/1 2 3\n`, refused: 'bad-syntax' },
  { name: 'a fraction for an index', text: `${SQUARE}f 1.5 2 3\n`, refused: 'bad-syntax' },
  {
    name: 'a damaged corner',
    text: `${SQUARE}v1 0 0\nf 1 2 3\n`,
    refused: 'bad-syntax',
    says: /Line 5 .*"v1" is not a keyword/,
  },
  {
    name: 'a corner without a blank',
    text: `${SQUARE}v0.12345678901234567 0 0\nf 1 2 3\n`,
    refused: 'bad-syntax',
  },
  {
    name: 'a face in capitals',
    text: `${SQUARE}F 1 2 3\n`,
    refused: 'bad-syntax',
    says: /"F" is not a keyword/,
  },
  { name: 'two numbers', text: 'v 0 0\n', refused: 'bad-syntax', says: /Line 1 .*three numbers/ },
  {
    name: 'cut inside a corner',
    text: `${SQUARE}f 1 2 3\nv 1 2`,
    refused: 'truncated',
    says: /inside line 6/,
  },
  { name: 'cut inside a face', text: `${SQUARE}f 1 2`, refused: 'truncated' },
  {
    name: 'decimal commas',
    text: 'v 1,5 0,5 2,5\n',
    refused: 'decimal-comma',
    says: /Line 1 .*decimal point/,
  },
  { name: 'not a number', text: 'v 1 nan 3\n', refused: 'not-finite', says: /Line 1 / },
  { name: 'beyond float32', text: 'v 1 1e39 3\n', refused: 'not-finite' },
  {
    name: 'bytes that are not text',
    text: `${SQUARE}f 1 2 3\n\u0001\u0002\n`,
    refused: 'bad-syntax',
    says: /Line 6 .*not text/,
  },
  {
    name: 'an endless line',
    text: `${SQUARE}f ${'1 '.repeat(200_000)}\n`,
    refused: 'bad-syntax',
    says: /Line 5 is too long/,
  },
  {
    name: 'an endless continuation',
    text: `${SQUARE}f ${'1 \\\n'.repeat(200_000)}\n`,
    refused: 'bad-syntax',
    says: /Line 5 is too long/,
  },
]
