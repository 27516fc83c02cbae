import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { storeModelOf, keptBy } from '../../../../test/support/library/model-imports.ts'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import type { ModelFields } from './store-model.ts'
import { objectKeyOf } from './stored-bytes.ts'
import { receiveBytes } from './receive-bytes.ts'

const FIELDS: ModelFields = {
  title: 'Cube',
  description: null,
  license_type: 'CC0',
  attribution_url: null,
  tags: [],
  print_material: null,
  print_notes: null,
  use_ai: false,
}

it('a model is not stored if its bytes were removed between two attempts of its transaction', async () => {
  const app = await buildTestApp()
  await app.as('staff')
  const { database, storage, clock } = app
  const [account] = await database.sql<{ id: string }[]>`select id from accounts where username = 'staff-1'`
  const keep = storeModelOf(app)
  const inspect = () => Promise.reject(new Error('An STL needs no inspection.'))
  const source = (async function* () {
    yield writeBinaryStl(createCube(20))
  })()
  const received = await receiveBytes(source, { fileName: 'cube.stl' }, { storage, inspect })
  if (received.kind !== 'model') throw new Error('no model')
  let tries = 0
  const kept = keep(received, async (tx, put, { sha256 }) => {
    tries += 1
    const audit = { actor: SYSTEM_ACTOR, now: clock.now() }
    const model = await put({ fields: FIELDS, accountId: account?.id ?? '', audit })
    if (tries > 1) return model
    // This imitates a failed upload of the same bytes, which removes them after this transaction was rolled
    // back.
    await storage.delete(objectKeyOf(sha256))
    throw Object.assign(new Error('could not serialize access'), { code: '40001' })
  })
  await expect(kept).rejects.toThrow('is gone')
  expect(tries).toBe(2)
  expect(await keptBy(app)).toMatchObject({ files: 0, models: 0 })
})
