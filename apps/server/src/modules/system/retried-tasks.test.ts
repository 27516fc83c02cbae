import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it } from 'vitest'
import { buildZip } from '../../../../../packages/mesh/test/zip-tools.ts'
import { aRemote, serving } from '../../../test/servers/remote-server.ts'
import { aSmsServer } from '../../../test/servers/sms-server.ts'
import { readOutbox } from '../../../test/support/accounts/mails.ts'
import { PHONE, PHONES } from '../../../test/support/accounts/phones.ts'
import { aBackedUpApp } from '../../../test/support/backups.ts'
import { buildTestApp, type TestApp } from '../../../test/support/build-test-app.ts'
import {
  failWrites,
  giveUpAtOnce,
  listFailedTasks,
  retryWhenGivenUp,
} from '../../../test/support/failed-tasks.ts'
import { importIn, QUICK, uploadByUrl } from '../../../test/support/library/model-imports.ts'
import { upload } from '../../../test/support/library/model-upload.ts'

const CUBE = Buffer.from(writeBinaryStl(createCube(20)))

const modelsOf = async (app: TestApp): Promise<Model[]> =>
  (await app.http.inject({ url: '/api/stl-files', headers: await app.as('staff') })).json<Model[]>()

const noneFailed = async (app: TestApp) => {
  const admin = await app.as('admin')
  await expect.poll(() => listFailedTasks(app, admin), { timeout: 30_000 }).toEqual([])
}

describe('tasks that gave up and are tried again', () => {
  it('an import from an address that gave up adds its model once when it is tried again', async () => {
    const remote = await aRemote(serving(CUBE))
    const app = await buildTestApp({
      variables: { URL_IMPORT_ALLOW: `127.0.0.1:${remote.port}` },
      outbound: { limits: QUICK },
    })
    const staff = await app.as('staff')
    await giveUpAtOnce(app, 'stl-library.fetch')
    await failWrites(app, { table: 'stl_files', of: 'insert', times: 1 })
    const { id } = (await uploadByUrl(app, staff, `${remote.url}/cube.stl`)).json<ModelImport>()
    await importIn(app, staff, id, 'failed')
    expect(await retryWhenGivenUp(app, 'stl-library.fetch')).toMatchObject({
      attempts: 1,
      error: 'the disk is broken',
    })
    expect(await importIn(app, staff, id, 'done')).toMatchObject({ error: null })
    expect(await modelsOf(app)).toHaveLength(1)
    await noneFailed(app)
  })

  it('an import of an archive that gave up adds the remaining models once when it is tried again', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const files = [10, 20, 30].map((size) => ({
      name: `${size}.stl`,
      data: writeBinaryStl(createCube(size)),
    }))
    const { id } = (await upload(app, staff, { name: 'set.zip', bytes: buildZip(files) })).json<ModelImport>()
    await giveUpAtOnce(app, 'stl-library.unpack')
    await failWrites(app, { table: 'stl_files', of: 'insert', times: 1 })
    await app.http.inject({
      method: 'POST',
      url: `/api/stl-imports/${id}/choose`,
      headers: staff,
      payload: { entries: [0, 1, 2] },
    })
    await importIn(app, staff, id, 'failed')
    await retryWhenGivenUp(app, 'stl-library.unpack')
    const done = await importIn(app, staff, id, 'done')
    expect(done.entries?.map(({ status }) => status)).toEqual(['done', 'done', 'done'])
    expect(await modelsOf(app)).toHaveLength(3)
    await noneFailed(app)
  })

  it('a backup that gave up is made when it is tried again, and the failed one stays in the list', async () => {
    const { app, start, ended, read } = await aBackedUpApp()
    await giveUpAtOnce(app, 'backups.make')
    expect((await start()).statusCode).toBe(202)
    await ended()
    // The end of the backup cannot be stored, and neither can its failure.
    await failWrites(app, { table: 'backup_runs', of: 'update', times: 2 })
    expect((await start()).statusCode).toBe(202)
    await retryWhenGivenUp(app, 'backups.make')
    expect(await ended()).toMatchObject({ state: 'done', failure: null })
    expect((await read()).runs.map(({ state }) => state)).toEqual(['done', 'failed', 'done'])
    await noneFailed(app)
  })

  it('a text message that gave up is sent once from the outbox when it is tried again', async () => {
    const server = await aSmsServer()
    const app = await buildTestApp({ variables: { ...PHONES, SIGNUPS: 'open', ...server.variables } })
    await giveUpAtOnce(app, 'sms.send')
    server.answer(503)
    await app.http.inject({ method: 'POST', url: '/auth/v1/otp', payload: { phone: PHONE } })
    await expect.poll(async () => (await readOutbox(app)).length, { timeout: 60_000 }).toBe(1)
    server.answer(200)
    await retryWhenGivenUp(app, 'sms.send')
    await expect.poll(() => server.taken.length, { timeout: 60_000 }).toBe(1)
    expect(server.calls()).toBe(2)
    expect(await readOutbox(app)).toEqual([])
    await noneFailed(app)
  })
})
