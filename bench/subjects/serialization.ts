import { createRequire } from 'node:module'
import { isDeepStrictEqual } from 'node:util'
import type { Schema } from '@pegasus/contracts/endpoint'
import { type Model, stlFile } from '@pegasus/contracts/stl-library/models'
import { listModels } from '@pegasus/contracts/stl-library/search'
import * as z from 'zod/mini'
import { serializerCompiler } from '../../apps/server/src/platform/http/serializer.ts'
import { interleave, median, medianRatio, microsecondsPerCall } from '../lib/figures.ts'
import { type ModelData, generateModels } from '../lib/library-data.ts'
import { importPackage, requireFrom } from '../lib/workspace-packages.ts'
import { PAGE_SIZE, PASSES, WINDOW_MS } from '../lib/settings.ts'
import { figure, note, printTable, times } from '../lib/table.ts'

interface Provider {
  serializerCompiler(route: object): (value: unknown) => string
  validatorCompiler(route: object): (value: unknown) => { value?: unknown; error?: Error }
}
interface Zod {
  toJSONSchema(schema: Schema, options: object): object
  parse(schema: Schema, value: unknown): unknown
  compile(schema: Schema): Schema
}
type Build = (schema: object) => (value: unknown) => string

const QUERY = { limit: '50', search: 'bracket left', license_type: 'CC BY' }
/** Fields that must not leave the server. Serializing with a schema drops them, but JSON.stringify does not. */
const OWN = { object_key: 'models/0', thumbnail_key: 'thumbnails/0', version_id: '0', revision: 1 }

/**
 * Measures how long it takes to check input, and to serialize responses with schemas, which drop all undeclared fields.
 */
export async function measureSerialization(): Promise<void> {
  const require = requireFrom('server')
  const provider = await importPackage<Provider>('fastify-type-provider-zod')
  const zod = await importPackage<Zod>('zod/mini')
  const build = createRequire(require.resolve('fastify'))('fast-json-stringify') as Build
  // The models are an example of objects with many fields. The server's own list of models is JSON from the database.
  const body = z.array(stlFile)
  const models = [...generateModels(PAGE_SIZE)].map(toWire)
  const rows = models.map((model) => ({ ...model, ...OWN }))

  const route = { schema: body, method: 'GET', url: '/', httpStatus: '200' }
  const byProduct = serializerCompiler(route)
  const byZod = provider.serializerCompiler(route)
  const compiled = zod.compile(body)
  const byTable = build(zod.toJSONSchema(body, { target: 'draft-7' }))
  const validate = provider.validatorCompiler({
    schema: listModels.query,
    method: 'GET',
    url: '/',
    httpPart: 'querystring',
  })
  for (const serialize of [byProduct, byZod, byTable])
    if (!isDeepStrictEqual(JSON.parse(serialize(rows)), models)) throw new Error('not the same answer')
  if (validate(QUERY).error) throw new Error('the query should be fine')

  const contenders = [
    { name: 'JSON.stringify, nothing dropped, nothing checked', work: () => JSON.stringify(rows) },
    { name: 'compiled zod schema: checked, unknown fields dropped (ours)', work: () => byProduct(rows) },
    { name: 'the same schema walked through', work: () => byZod(rows) },
    { name: 'fast-json-stringify from the same schema: dropped, not checked', work: () => byTable(rows) },
    { name: 'of the compiled schema: the check alone', work: () => zod.parse(compiled, rows) },
    { name: 'of the schema walked through: the check alone', work: () => zod.parse(body, rows) },
    { name: 'the query of a request, checked', work: () => validate(QUERY) },
  ]
  const results = await interleave(
    contenders.map(({ name, work }) => ({ name, run: () => microsecondsPerCall(work, WINDOW_MS / 2) })),
    PASSES,
  )
  const baseline = results.get(contenders[0]!.name)!
  printTable(
    'serialisation: an answer of 50 models, microseconds',
    ['how', 'µs', 'against JSON.stringify'],
    contenders.map(({ name }) => {
      const values = results.get(name)!
      return [name, figure(median(values)), times(medianRatio(values, baseline))]
    }),
  )
  note(`The answer has ${figure(byProduct(rows).length / 1024)} KiB.`)
}

function toWire(model: ModelData): Model {
  return {
    id: model.id,
    title: model.title,
    description: model.description,
    tags: model.tags,
    license_type: 'CC BY',
    file_name: model.fileName,
    file_size: model.sizeBytes,
    is_product: false,
    sha256: model.sha256,
    format: 'stl',
    encoding: 'binary',
    triangles: model.triangles,
    bounding_box_mm: model.box as Model['bounding_box_mm'],
    volume_mm3: model.volumeMm3,
    surface_area_mm2: model.areaMm2,
    is_watertight: true,
    shells: 1,
    warnings: [],
    analysis_status: 'done',
    print_estimate: null,
    sliced_piece: null,
    metadata: null,
    has_slicer_command: false,
    second_thumbnail_path: null,
    attribution: null,
    fetched_at: null,
    sale_note: null,
    sale_verdict: 'allowed',
    sale_reason: 'CC BY allows selling prints.',
    version: 1,
    deleted_at: null,
    revision: 1,
    thumbnail_path: `/api/stl-files/${model.id}/thumbnail?expires=1790000000&signature=${'a'.repeat(43)}`,
    attribution_url: null,
    print_material: null,
    print_notes: null,
    source_url: null,
    sale_allowed: null,
    duplicate_of: null,
    suggested_fields: [],
    uploaded_by: 'bench',
    created_at: model.createdAt,
    updated_at: model.createdAt,
  }
}
