import type { RejectionCode } from '../src/types.ts'
import {
  build3mf,
  CUBE_OBJECT,
  files3mf,
  meshXml,
  modelXml,
  relationship,
  relationships,
} from './threemf-tools.ts'
import { buildZip } from './zip-tools.ts'

/** A 3MF that must be refused, with the expected reason. */
export type Hostile3mf = { name: string; bytes: Uint8Array; refused: RejectionCode; says?: RegExp }

const component = (id: number | string, more = '') => `<component objectid="${id}" ${more}/>`
const group = (id: number | string, ...inner: string[]) =>
  `<object id="${id}"><components>${inner.join('')}</components></object>`
const withMesh = (vertices: string, triangles: string) =>
  `<object id="1"><mesh><vertices>${vertices}</vertices><triangles>${triangles}</triangles></mesh></object>`
const CORNERS = '<vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/>'
const TRIANGLE = '<triangle v1="0" v2="1" v3="2"/>'
const rels = (inner: string) => [{ name: '_rels/.rels', data: relationships(inner) }]

/**
 * Returns objects for a 3MF that expands enormously: ten copies of ten copies of … a cube. Nine levels give 12 billion
 * triangles.
 */
function expansion(levels: number): string {
  const groups = Array.from({ length: levels }, (_, i) => group(i + 2, component(i + 1).repeat(10)))
  return CUBE_OBJECT + groups.join('')
}

/** In a parser that resolves entities, "&e9;" expands to more than a billion characters. */
const ENTITY_BOMB = `<?xml version="1.0"?><!DOCTYPE model [<!ENTITY e0 "lol">${Array.from({ length: 9 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('')}]><model>&e9;</model>`

export const HOSTILE_3MF: Hostile3mf[] = [
  {
    name: 'zip slip next to the model',
    bytes: build3mf({}, [{ name: '../../tmp/x', data: 'x' }]),
    refused: 'unsafe-archive',
  },
  {
    name: 'names that differ by case alone',
    bytes: build3mf({}, [{ name: '3D/3DMODEL.model', data: modelXml() }]),
    refused: 'unsafe-archive',
  },
  {
    name: 'a DOCTYPE',
    bytes: build3mf({ before: '<!DOCTYPE model [<!ELEMENT model ANY>]>' }),
    refused: 'unsafe-xml',
    says: /DOCTYPE/,
  },
  { name: 'an entity bomb', bytes: build3mf(ENTITY_BOMB), refused: 'unsafe-xml', says: /DOCTYPE/ },
  {
    name: 'an external entity',
    bytes: build3mf({ before: '<!DOCTYPE m SYSTEM "file:///etc/passwd">' }),
    refused: 'unsafe-xml',
  },
  {
    name: 'an entity out of nowhere',
    bytes: build3mf({ metadata: '<metadata name="Title">&xxe;</metadata>' }),
    refused: 'unsafe-xml',
  },
  {
    name: 'a DOCTYPE in the relationships',
    bytes: build3mf({}, [{ name: '_rels/.rels', data: '<!DOCTYPE x><Relationships/>' }]),
    refused: 'unsafe-xml',
  },
  {
    name: 'elements 10,000 deep',
    bytes: build3mf(`<model>${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}</model>`),
    refused: 'unsafe-xml',
    says: /deep/,
  },
  {
    name: 'a tag that never ends',
    bytes: build3mf(`<model a="${'x'.repeat(1_000_000)}"/>`),
    refused: 'unsafe-xml',
  },
  {
    name: 'a thousand attributes',
    bytes: build3mf(`<model ${Array.from({ length: 1000 }, (_, i) => `a${i}=""`).join(' ')}/>`),
    refused: 'unsafe-xml',
  },
  {
    name: 'a hundred namespaces',
    bytes: build3mf(`<model ${Array.from({ length: 100 }, (_, i) => `xmlns:a${i}="u"`).join(' ')}/>`),
    refused: 'unsafe-xml',
  },
  {
    name: 'tags that do not match',
    bytes: build3mf('<model><resources></model></resources>'),
    refused: 'unsafe-xml',
  },
  {
    name: 'an attribute twice',
    bytes: build3mf({ attributes: 'unit="inch" unit="meter"' }),
    refused: 'unsafe-xml',
  },
  {
    name: 'a prefix that is not declared',
    bytes: build3mf({ items: '<item objectid="1" q:path="/x"/>' }),
    refused: 'unsafe-xml',
  },
  { name: 'XML that ends in the middle', bytes: build3mf(modelXml().slice(0, -60)), refused: 'truncated' },
  {
    name: 'UTF-16',
    bytes: build3mf({}, [
      { name: '3D/3dmodel.model', data: new Uint8Array(Buffer.from(`\ufeff${modelXml()}`, 'utf16le')) },
    ]),
    refused: 'unsafe-xml',
    says: /UTF-16/,
  },
  {
    name: 'another document',
    bytes: build3mf('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    refused: 'bad-syntax',
  },
  {
    name: 'an external relationship',
    bytes: build3mf({}, rels(relationship('http://169.254.169.254/', undefined, 'TargetMode="External"'))),
    refused: 'unsafe-structure',
  },
  {
    name: 'a relationship to an address',
    bytes: build3mf({}, rels(relationship('http://example.com/a.model'))),
    refused: 'unsafe-structure',
  },
  {
    name: 'a relationship to a drive',
    bytes: build3mf({}, rels(relationship('C:/Windows/win.ini'))),
    refused: 'unsafe-structure',
  },
  {
    name: 'a relationship that climbs',
    bytes: build3mf({}, rels(relationship('/../../etc/passwd'))),
    refused: 'unsafe-structure',
  },
  {
    name: 'a relationship that climbs in escapes',
    bytes: build3mf({}, rels(relationship('/%2e%2e/%2e%2e/etc/passwd'))),
    refused: 'unsafe-structure',
  },
  {
    name: 'a relationship to another computer',
    bytes: build3mf({}, rels(relationship('//host/share'))),
    refused: 'unsafe-structure',
  },
  {
    name: 'two main models',
    bytes: build3mf({}, rels(relationship('/3D/3dmodel.model') + relationship('/3D/other.model'))),
    refused: 'unsafe-structure',
  },
  {
    name: 'a model that is not there',
    bytes: build3mf({}, rels(relationship('/3D/other.model'))),
    refused: 'bad-archive',
  },
  {
    name: 'a component in a file outside',
    bytes: build3mf({ objects: group(1, component(1, 'p:path="file:///etc/passwd"')) }),
    refused: 'unsafe-structure',
  },
  {
    name: 'a component in a part that is not there',
    bytes: build3mf({ objects: group(1, component(1, 'p:path="/3D/x.model"')) }),
    refused: 'unsafe-structure',
  },
  {
    name: 'an object that contains itself',
    bytes: build3mf({ objects: group(1, component(1)) }),
    refused: 'unsafe-structure',
    says: /contains itself/,
  },
  {
    name: 'a circle of three',
    bytes: build3mf({ objects: group(1, component(2)) + group(2, component(3)) + group(3, component(1)) }),
    refused: 'unsafe-structure',
  },
  {
    name: 'a circle through two parts',
    bytes: build3mf({ objects: group(1, component(1, 'p:path="/3D/b.model"')) }, [
      {
        name: '3D/b.model',
        data: modelXml({ objects: group(1, component(1, 'p:path="/3D/3dmodel.model"')), items: '' }),
      },
    ]),
    refused: 'unsafe-structure',
  },
  {
    name: 'ten to the power of nine cubes',
    bytes: build3mf({ objects: expansion(9), items: '<item objectid="10"/>' }),
    refused: 'too-large',
    says: /add up to over/,
  },
  {
    name: 'ten to the power of nine empty objects',
    bytes: build3mf({
      objects: expansion(9).replace(CUBE_OBJECT, '<object id="1"/>'),
      items: '<item objectid="10"/>',
    }),
    refused: 'no-triangles',
  },
  {
    name: 'objects a hundred deep',
    bytes: build3mf({
      objects: CUBE_OBJECT + Array.from({ length: 100 }, (_, i) => group(i + 2, component(i + 1))).join(''),
      items: '<item objectid="101"/>',
    }),
    refused: 'unsafe-structure',
    says: /deep/,
  },
  {
    name: 'objects 5,000 deep, placed from the innermost on',
    bytes: build3mf({
      objects: CUBE_OBJECT + Array.from({ length: 5000 }, (_, i) => group(i + 2, component(i + 1))).join(''),
      items: Array.from({ length: 5000 }, (_, i) => `<item objectid="${i + 1}"/>`).join(''),
    }),
    refused: 'unsafe-structure',
    says: /deep/,
  },
  {
    name: 'a file of 1 KB that unfolds to a hundred thousand cubes',
    bytes: build3mf({ objects: expansion(5), items: '<item objectid="6"/>' }),
    refused: 'too-large',
    says: /triangles/,
  },
  {
    name: 'two million copies of a triangle',
    bytes: build3mf({
      objects:
        withMesh(CORNERS, TRIANGLE) +
        group(2, component(1).repeat(2000)) +
        group(3, component(2).repeat(1000)),
      items: '<item objectid="3"/>',
    }),
    refused: 'too-large',
    says: /copies/,
  },
  {
    name: 'the same object twice',
    bytes: build3mf({ objects: CUBE_OBJECT + CUBE_OBJECT }),
    refused: 'bad-syntax',
  },
  {
    name: 'an object that is not there',
    bytes: build3mf({ items: '<item objectid="7"/>' }),
    refused: 'unsafe-structure',
  },
  { name: 'nothing to print', bytes: build3mf({ objects: '<object id="1"/>' }), refused: 'no-triangles' },
  {
    name: 'a corner that is not there',
    bytes: build3mf({ objects: withMesh(CORNERS, '<triangle v1="0" v2="1" v3="3"/>') }),
    refused: 'bad-syntax',
    says: /Triangle 1 .*corner 3/,
  },
  {
    name: 'a corner of another object',
    bytes: build3mf({
      objects: withMesh(CORNERS, TRIANGLE) + withMesh('', TRIANGLE).replace('id="1"', 'id="2"'),
    }),
    refused: 'bad-syntax',
  },
  {
    name: 'a corner below nought',
    bytes: build3mf({ objects: withMesh(CORNERS, '<triangle v1="0" v2="1" v3="-1"/>') }),
    refused: 'bad-syntax',
  },
  {
    name: 'a corner of two numbers',
    bytes: build3mf({ objects: withMesh('<vertex x="0" y="0"/>', TRIANGLE) }),
    refused: 'bad-syntax',
  },
  {
    name: 'NaN',
    bytes: build3mf({ objects: withMesh(CORNERS.replace('"1"', '"NaN"'), TRIANGLE) }),
    refused: 'not-finite',
  },
  {
    name: 'beyond float32',
    bytes: build3mf({ objects: withMesh(CORNERS.replace('"1"', '"1e39"'), TRIANGLE) }),
    refused: 'not-finite',
  },
  {
    name: 'decimal commas',
    bytes: build3mf({ objects: withMesh(CORNERS.replace('"1"', '"1,5"'), TRIANGLE) }),
    refused: 'decimal-comma',
  },
  {
    name: 'a transform to infinity',
    bytes: build3mf({ items: '<item objectid="1" transform="1e300 0 0 0 1 0 0 0 1 0 0 0"/>' }),
    refused: 'not-finite',
  },
  {
    name: 'a transform of eleven numbers',
    bytes: build3mf({ items: '<item objectid="1" transform="1 0 0 0 1 0 0 0 1 0 0"/>' }),
    refused: 'bad-syntax',
  },
  {
    name: 'a transform of one endless number',
    bytes: build3mf({ items: `<item objectid="1" transform="${'1'.repeat(200_000)}x"/>` }),
    refused: 'bad-syntax',
  },
  {
    name: 'a transform of words',
    bytes: build3mf({ items: '<item objectid="1" transform="1 0 0 0 1 0 0 0 1 0 0 x"/>' }),
    refused: 'bad-syntax',
  },
  {
    name: 'a unit that does not exist',
    bytes: build3mf({ attributes: 'unit="__proto__"' }),
    refused: 'bad-syntax',
  },
  {
    name: 'a bomb of blanks',
    bytes: build3mf(`<model>${' '.repeat(30_000_000)}</model>`),
    refused: 'unsafe-archive',
  },
  { name: 'a ZIP without a model', bytes: buildZip([{ name: 'a.txt', data: 'a' }]), refused: 'is-archive' },
  {
    name: 'a model with a wrong size in the directory',
    bytes: buildZip(
      files3mf().map((file) =>
        file.name === '3D/3dmodel.model'
          ? { ...file, centralFields: { sizeBytes: 50 }, localFields: { sizeBytes: 50 } }
          : file,
      ),
    ),
    refused: 'unsafe-archive',
  },
  {
    name: 'a mesh in a mesh',
    bytes: build3mf({ objects: `<object id="1"><mesh>${meshXml()}</mesh></object>` }),
    refused: 'no-triangles',
  },
]
