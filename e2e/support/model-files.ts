import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGear, createVase } from '@pegasus/mesh/samples/shapes'
import { writeAsciiStl } from '@pegasus/mesh/samples/write-ascii-stl'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { inProject } from '../../scripts/boot/project.mjs'

export interface ModelFile {
  name: string
  bytes: Uint8Array
  title: string
  triangles: string
  size: string
}

const REAL_MODELS = process.env.MODELS_DIR ?? inProject('..', 'shared', 'models')

const isThere = existsSync(join(REAL_MODELS, 'Base_SO101.stl'))
const real = (name: string): Uint8Array => readFileSync(join(REAL_MODELS, name))

/**
 * The part that the tests upload: a real one if the folder of real models exists, otherwise a generated one.
 */
export const PART: ModelFile = isThere
  ? {
      name: 'Base_SO101.stl',
      bytes: real('Base_SO101.stl'),
      title: 'Base SO101',
      triangles: '9,558',
      size: '110.9 × 72.0 × 87.0 mm',
    }
  : {
      name: 'Gear_18.stl',
      bytes: writeBinaryStl(createGear(18)),
      title: 'Gear 18',
      triangles: String(createGear(18).length / 9),
      size: '49.6 × 49.9 × 10.0 mm',
    }

const CYRILLIC_NAME = 'голова утки (v2) – копия №1.stl'

export const CYRILLIC_PART: ModelFile = {
  name: CYRILLIC_NAME,
  bytes: isThere ? real(CYRILLIC_NAME) : writeAsciiStl(createVase()),
  title: 'голова утки (v2) – копия №1',
  triangles: '',
  size: '',
}

/** Uploads the part with these form fields. Returns its model. */
export async function uploadPart(
  url: string,
  headers: Record<string, string>,
  fields: Readonly<Record<string, string>>,
): Promise<Model> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([PART.bytes.slice()]), PART.name)
  const uploaded = await fetch(`${url}/api/stl-files/upload`, { method: 'POST', headers, body: form })
  if (!uploaded.ok) throw new Error(`upload: ${uploaded.status} ${await uploaded.text()}`)
  return (await uploaded.json()) as Model
}
