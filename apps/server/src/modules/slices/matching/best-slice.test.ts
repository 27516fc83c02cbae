import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { aSlice } from '../../../../test/support/library/slice-factories.ts'
import { findBestSlice } from '../index.ts'

describe('choosing the best sliced file for a printer', () => {
  it("the best slice fits the printer's model in any spelling, its nozzle, and the formats that it reads", async () => {
    const app = await buildTestApp()
    const model = await aModel(app)
    const [{ id: versionId }] = await app.database.sql<
      [{ id: string }]
    >`select current_version_id as id from stl_files where id = ${model}`
    const fine = await aSlice(app, model, { printerModel: 'Original Prusa MK4S', nozzleMm: 0.25 })
    const older = await aSlice(app, model, { printerModel: 'MK4S' })
    const binary = await aSlice(app, model, { printerModel: 'Prusa MK4S', format: 'bgcode' })
    const anyNozzle = await aSlice(app, model, { printerModel: 'mk4s', nozzleMm: null })
    const bambu = await aSlice(app, model, { printerModel: 'Bambu Lab X1 Carbon', format: 'gcode.3mf' })
    const unnamed = await aSlice(app, model, { printerModel: null, nozzleMm: null })
    const best = async (printerModel: string | null, nozzleMm: number | null, fileTypes: string[] | null) =>
      (await findBestSlice(app.database.sql, { versionId, printerModel, nozzleMm, fileTypes }))?.id ?? null
    expect(await best('Prusa MK4S', 0.4, null)).toBe(binary)
    expect(await best('Prusa MK4S', 0.4, ['gcode'])).toBe(older)
    expect(await best('MK4S', 0.25, null)).toBe(fine)
    expect(await best('mk4s', 0.8, null)).toBe(anyNozzle)
    expect(await best('X1 Carbon', 0.4, ['gcode.3mf'])).toBe(bambu)
    expect(await best('Bambu Lab X1-Carbon', 0.4, ['bgcode'])).toBeNull()
    expect(await best(null, 0.4, null)).toBe(unnamed)
    // A file that names no printer model may be printed anywhere, but a file for the right model comes first.
    expect(await best('Ender 3', null, null)).toBe(unnamed)
  })

  it('the best slice belongs to the requested version, and never comes from the trash', async () => {
    const app = await buildTestApp()
    const [model, other] = [await aModel(app), await aModel(app)]
    const [{ id: versionId }] = await app.database.sql<
      [{ id: string }]
    >`select current_version_id as id from stl_files where id = ${model}`
    const deleted = await aSlice(app, model)
    await aSlice(app, other)
    await app.database.sql`update sliced_files set deleted_at = now() where id = ${deleted}`
    const criteria = { versionId, printerModel: 'MK4S', nozzleMm: 0.4, fileTypes: null }
    expect(await findBestSlice(app.database.sql, criteria)).toBeNull()
  })
})
