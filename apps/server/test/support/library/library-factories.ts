import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { TestApp } from '../build-test-app.ts'

export interface ModelToAdd {
  title?: string
  description?: string | null
  tags?: readonly string[]
  licenseType?: string
  saleAllowed?: boolean | null
  attributionUrl?: string | null
  printMaterial?: string | null
  printNotes?: string | null
  suggestedFields?: readonly string[]
  fileName?: string
  sizeBytes?: number
  sha256?: string
  shapeHash?: string | null
  format?: 'stl' | '3mf' | 'obj'
  box?: { min: number[]; max: number[]; size: number[] } | null
  isWatertight?: boolean | null
  designer?: string
  duplicateOf?: string | null
  uploadedBy?: string | null
  createdAt?: Date
}

/** Adds a model whose file counts as measured, although no bytes are stored. Returns the model's id. */
export async function aModel(app: TestApp, model: ModelToAdd = {}): Promise<string> {
  const [id, versionId] = [uuidv7(), uuidv7()]
  const at = model.createdAt ?? app.clock.now()
  app.clock.advance(1)
  const sha256 = model.sha256 ?? createHash('sha256').update(id).digest('hex')
  await app.database.transaction(async (tx) => {
    await tx`
      insert into stl_files (id, title, description, tags, license_type, sale_allowed, attribution_url, print_material,
                             print_notes, suggested_fields, duplicate_of, current_version_id, created_at, updated_at)
      values (${id}, ${model.title ?? 'Gear'}, ${model.description ?? null}, ${[...(model.tags ?? [])]},
              ${model.licenseType ?? 'CC0'}, ${model.saleAllowed ?? null}, ${model.attributionUrl ?? null},
              ${model.printMaterial ?? null}, ${model.printNotes ?? null}, ${[...(model.suggestedFields ?? [])]},
              ${model.duplicateOf ?? null}, ${versionId}, ${at}, ${at})`
    await tx`
      insert into stl_versions (id, stl_file_id, number, file_name, file_size, sha256, object_key, format, triangles,
                                bounding_box_mm, is_watertight, shape_hash, metadata, analysis_status, uploaded_by,
                                created_at)
      values (${versionId}, ${id}, 1, ${model.fileName ?? 'model.stl'}, ${model.sizeBytes ?? 684}, ${sha256},
              ${`models/${sha256}`}, ${model.format ?? 'stl'}, 12, ${tx.json((model.box ?? null) as never)},
              ${model.isWatertight ?? null}, ${model.shapeHash ?? null},
              ${tx.json((model.designer ? { designer: model.designer } : null) as never)}, 'done',
              ${model.uploadedBy ?? null}, ${at})`
  })
  return id
}
