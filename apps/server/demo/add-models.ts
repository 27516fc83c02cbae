import type { Model } from '@pegasus/contracts/stl-library/models'
import { writeAsciiStl } from '@pegasus/mesh/samples/write-ascii-stl'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { DAY_MS, HOUR_MS } from '../src/platform/clock.ts'
import { call, signedInAs } from './call.ts'
import type { DemoModel } from './models/catalog.ts'
import { type Mesh, volumeMm3 } from './models/kit/mesh.ts'
import { passwordOf } from './people.ts'
import { moveTo, type Shop } from './shop.ts'

export interface AddedModel {
  id: string
  volumeMm3: number
  uploadedAt: Date
}

/** Some files below this size are written as ASCII, so that the library has both kinds of STL. */
const ASCII_BELOW_TRIANGLES = 4000
/** Number of models that a person uploads in one session. */
const SITTING = 4
const UPLOADERS = ['admin', 'staff', 'employee'] as const
/** Ages of the oldest and the newest models. Even the newest part has been on sale for some weeks. */
const OLDEST_DAYS = 196
const NEWEST_DAYS = 21

/** Returns the upload time for a position in the list, newest first. */
function uploadedAt(index: number, count: number, now: Date): Date {
  const sitting = Math.floor(index / SITTING)
  const sittings = Math.ceil(count / SITTING)
  const days = NEWEST_DAYS + (OLDEST_DAYS - NEWEST_DAYS) * (sitting / Math.max(1, sittings - 1)) ** 0.6
  return new Date(now.getTime() - days * DAY_MS - ((index % SITTING) * HOUR_MS) / 6)
}

function bytesOf(mesh: Mesh, index: number): Uint8Array<ArrayBuffer> {
  const isText = index % 5 === 4 && mesh.length / 9 < ASCII_BELOW_TRIANGLES
  return isText ? writeAsciiStl(mesh, 'hangar7') : writeBinaryStl(mesh, 'Hangar 7 demo shop')
}

async function upload(
  shop: Shop,
  model: DemoModel,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Promise<string> {
  const form = new FormData()
  const fields = {
    title: model.title,
    description: model.description,
    tags: JSON.stringify(model.tags),
    license_type: model.license,
    print_material: model.material,
    attribution_url: model.attributionUrl ?? '',
    print_notes: model.notes ?? '',
    use_ai: 'false',
  }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([bytes]), model.fileName)
  const encoded = new Response(form)
  const { id, revision } = await call<Model>(shop, {
    method: 'POST',
    url: '/api/stl-files/upload',
    payload: Buffer.from(await encoded.arrayBuffer()),
    headers: { ...headers, 'content-type': encoded.headers.get('content-type') ?? '' },
  })
  if (model.saleNote !== undefined)
    await call(shop, {
      method: 'PUT',
      url: `/api/stl-files/${id}`,
      payload: { sale_allowed: true, sale_note: model.saleNote },
      headers: { ...headers, 'if-match': `"${revision}"` },
    })
  return id
}

/**
 * Uploads the models that the library lacks, each at its own time in the past. The newest models are uploaded
 * first, because people see their pictures first.
 */
export async function addModels(
  shop: Shop,
  models: readonly DemoModel[],
  now: Date,
  onAdded: (count: number) => void = () => undefined,
): Promise<ReadonlyMap<string, AddedModel>> {
  const rows = await shop.database.sql<{ id: string; file_name: string }[]>`
    select f.id, v.file_name from stl_files f join stl_versions v on v.id = f.current_version_id
    where f.deleted_at is null`
  const known = new Map(rows.map((row) => [row.file_name, row.id]))
  const added = new Map<string, AddedModel>()
  for (let first = 0; first < models.length; first += SITTING) {
    const batch = models.slice(first, first + SITTING).map((model) => ({ model, mesh: model.make() }))
    const keep = ({ model, mesh }: (typeof batch)[number], id: string) =>
      added.set(model.fileName, {
        id,
        volumeMm3: volumeMm3(mesh),
        uploadedAt: uploadedAt(models.indexOf(model), models.length, now),
      })
    const fresh = batch.filter(({ model }) => !known.has(model.fileName))
    for (const each of batch) if (!fresh.includes(each)) keep(each, known.get(each.model.fileName)!)
    if (fresh.length === 0) continue
    moveTo(shop.clock, uploadedAt(first + SITTING - 1, models.length, now))
    const username = UPLOADERS[(first / SITTING) % UPLOADERS.length]!
    await signedInAs(shop, { username, password: passwordOf(shop) }, async (headers) => {
      for (const each of fresh.toReversed()) {
        shop.signal?.throwIfAborted()
        const index = models.indexOf(each.model)
        moveTo(shop.clock, uploadedAt(index, models.length, now))
        keep(each, await upload(shop, each.model, bytesOf(each.mesh, index), headers))
        onAdded(added.size)
      }
    })
  }
  return added
}
