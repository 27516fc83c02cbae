import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { TestApp } from '../build-test-app.ts'

export interface SliceToAdd {
  printerModel?: string | null
  nozzleMm?: number | null
  bedMm?: readonly [number, number, number | null]
  format?: 'gcode' | 'bgcode' | 'gcode.3mf'
  plate?: number
  pieces?: number
  grams?: number | null
  minutes?: number | null
  material?: string | null
  /** The tools of the plate. By default, one tool with `material` and `grams`. */
  tools?: readonly { material: string | null; grams: number | null; color_hex?: string }[]
}

/** Adds a sliced file to a model's current version, without storing its bytes. Returns the id of the sliced file. */
export async function aSlice(app: TestApp, modelId: string, slice: SliceToAdd = {}): Promise<string> {
  const id = uuidv7()
  const sha256 = createHash('sha256').update(id).digest('hex')
  const now = app.clock.now()
  app.clock.advance(1)
  const { format = 'gcode', material = 'PLA', grams = 12.5 } = slice
  const tools = (slice.tools ?? [{ material, grams }]).map((each, tool) => ({
    tool,
    color_hex: null,
    metres: null,
    ...each,
  }))
  await app.database.transaction(
    (tx) => tx`
      insert into sliced_files (id, stl_file_id, stl_version_id, object_key, file_name, file_size, sha256, format, plate,
                                printer_model, nozzle_mm, bed_mm, material, tools, grams, minutes, pieces, actor_kind,
                                actor_name, created_at, updated_at)
      select ${id}, f.id, f.current_version_id, ${`slices/${sha256}`}, ${`part.${format}`}, 1000, ${sha256}, ${format},
             ${slice.plate ?? 1}, ${slice.printerModel === undefined ? 'MK4S' : slice.printerModel},
             ${slice.nozzleMm === undefined ? 0.4 : slice.nozzleMm}, ${slice.bedMm ? tx.json(slice.bedMm) : null}, ${material}, ${tx.json(tools as never)}, ${grams},
             ${slice.minutes ?? 60}, ${slice.pieces ?? 1}, 'system', 'Test', ${now}, ${now}
      from stl_files f where f.id = ${modelId}`,
  )
  return id
}
