import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createBox, createCube, createPlate, createTorus } from '../samples/shapes.ts'
import { weldVertices } from '../src/topology/weld.ts'
import { writeAsciiStl } from '../samples/write-ascii-stl.ts'
import { writeBinaryStl } from '../src/stl/write-stl.ts'
import { joined } from './stl-cases.ts'
import { build3mf } from './threemf-tools.ts'

/** A test model and its true properties. The properties are named like the columns of the manifest. */
export type CorpusModel = { file: string; bytes: Uint8Array; truth: Readonly<Record<string, string>> }

const REPOSITORY = resolve(import.meta.dirname, '../../..')
const MODELS_DIR = resolve(REPOSITORY, process.env['MODELS_DIR'] ?? '../shared/models')

/**
 * Loads real models if their folder exists, otherwise generated ones. The tests check both in the same way. `like` must
 * match the name of a model.
 */
export function loadModels(like = /\.stl$/i): { source: string; models: CorpusModel[] } {
  const manifest = join(MODELS_DIR, 'MANIFEST.tsv')
  if (!existsSync(manifest)) {
    return { source: 'generated', models: generateModels().filter(({ file }) => like.test(file)) }
  }
  const [head = '', ...lines] = readFileSync(manifest, 'utf8').trimEnd().split('\n')
  const columns = head.split('\t')
  const rows = lines.map((line) => {
    const cells = line.split('\t')
    return Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? '']))
  })
  const models = rows
    .filter((truth) => like.test(truth['file'] ?? ''))
    .map((truth) => ({ file: truth['file']!, bytes: readFileSync(join(MODELS_DIR, truth['file']!)), truth }))
  return { source: 'real', models }
}

/** Converts the manifest's values for a 3MF in inches to millimeters, because our reader returns millimeters. */
export function inMillimeters(truth: CorpusModel['truth']): CorpusModel['truth'] {
  if (!truth['note']?.includes('unit="inch"')) return truth
  const scaled = (text: string, power: number) =>
    text
      .split(',')
      .map((value) => Number(value) * 25.4 ** power)
      .join(',')
  const changed = Object.entries({ bbox_min: 1, bbox_max: 1, area: 2, volume: 3 }).map(([column, power]) => [
    column,
    truth[column] ? scaled(truth[column], power) : '',
  ])
  return { ...truth, ...Object.fromEntries(changed) }
}

const CLOSED = {
  open_edges: '0',
  nonmanifold_edges: '0',
  winding_errors: '0',
  degenerate: '0',
  duplicate_faces: '0',
}

function generateModels(): CorpusModel[] {
  const cube = createCube(20)
  const cubeTruth = {
    ...CLOSED,
    expect: 'accept',
    triangles: '12',
    bbox_min: '-10,-10,0',
    bbox_max: '10,10,20',
    volume: '8000',
    volume_trust: 'agree',
    area: '2400',
    shells: '1',
    closed: '1',
  }
  const apart = cube.map((value, i) => (i % 3 === 0 ? value + 30 : value))
  const torus = createTorus(20, 7, 512)
  return [
    { file: 'cube.stl', bytes: writeBinaryStl(cube), truth: cubeTruth },
    { file: 'cube-ascii.stl', bytes: writeAsciiStl(cube), truth: cubeTruth },
    {
      file: 'two-cubes.stl',
      bytes: writeBinaryStl(Float32Array.of(...cube, ...apart)),
      truth: {
        ...cubeTruth,
        triangles: '24',
        bbox_max: '40,10,20',
        volume: '16000',
        area: '4800',
        shells: '2',
      },
    },
    {
      file: 'cube-without-one-triangle.stl',
      bytes: writeBinaryStl(cube.subarray(9)),
      truth: {
        ...cubeTruth,
        expect: 'accept+warn',
        triangles: '11',
        area: '2200',
        volume_trust: 'disagree',
        open_edges: '3',
        closed: '0',
      },
    },
    {
      file: 'box-in-metres.stl',
      bytes: writeAsciiStl(createBox(0.05, 0.04, 0.03)),
      truth: {
        ...cubeTruth,
        expect: 'accept+warn',
        bbox_min: '-0.025,-0.02,0',
        bbox_max: '0.025,0.02,0.03',
        volume: '6e-5',
        area: '0.0094',
      },
    },
    {
      file: 'torus.stl',
      bytes: writeBinaryStl(torus),
      truth: {
        ...CLOSED,
        expect: 'accept',
        triangles: String(torus.length / 9),
        bbox_min: '-27,-27,0',
        bbox_max: '27,27,14',
        shells: '1',
        closed: '1',
        volume_trust: 'agree',
      },
    },
    {
      file: 'plate.stl',
      bytes: writeBinaryStl(createPlate(50, 30, 6)),
      truth: {
        ...CLOSED,
        expect: 'accept',
        bbox_min: '-25,-15,0',
        bbox_max: '25,15,6',
        shells: '1',
        closed: '1',
        volume_trust: 'agree',
      },
    },
    {
      file: 'cube-and-a-byte.stl',
      bytes: joined(writeBinaryStl(cube), Uint8Array.of(0)),
      truth: { ...cubeTruth, expect: 'accept+warn' },
    },
    { file: 'cut-cube.stl', bytes: writeBinaryStl(cube).slice(0, -17), truth: { expect: 'reject' } },
    { file: 'cut-cube-ascii.stl', bytes: writeAsciiStl(cube).slice(0, -100), truth: { expect: 'reject' } },
    { file: 'cube.3mf', bytes: build3mf(), truth: cubeTruth },
    {
      file: 'cube-in-inches.3mf',
      bytes: build3mf({ attributes: 'unit="inch"' }),
      truth: { ...cubeTruth, note: 'unit="inch"' },
    },
    { file: 'doctype.3mf', bytes: build3mf({ before: '<!DOCTYPE model>' }), truth: { expect: 'reject' } },
    { file: 'cube.obj', bytes: writeObj(cube), truth: cubeTruth },
    { file: 'nothing.stl', bytes: new Uint8Array(0), truth: { expect: 'reject' } },
  ]
}

/** Writes an OBJ. Corners at the same point are merged, as modeling programs do. */
function writeObj(positions: Float32Array): Uint8Array {
  const { ids, points } = weldVertices(positions)
  const lines = ['# a cube', 'o cube']
  for (let i = 0; i < points.length; i += 3) lines.push(`v ${points.subarray(i, i + 3).join(' ')}`)
  for (let i = 0; i < ids.length; i += 3)
    lines.push(`f ${[...ids.subarray(i, i + 3)].map((id) => id + 1).join(' ')}`)
  return new TextEncoder().encode(`${lines.join('\n')}\n`)
}
