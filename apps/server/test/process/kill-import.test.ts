import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Model } from '@pegasus/contracts/stl-library/models'
import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import { expect, it } from 'vitest'
import { listAll } from './check-kept-data.ts'
import { forgetLostProcesses } from './lost-processes.ts'
import { bearer, makeDataFolder, signIn, startProduct, until } from './product-process.ts'
import { aRemote, serving } from '../servers/remote-server.ts'
import { aModel, sha256Of } from './write-load.ts'

const PATIENCE_MS = 90_000

it('T101 an import runs again if the server is killed during the import, and adds only one model', {
  timeout: 600_000,
}, async () => {
  const bytes = aModel(5000)
  let isKilled = false
  const remote = await aRemote((request, response) => {
    if (isKilled) return serving(bytes)(request, response)
    response.writeHead(200, { 'content-length': String(bytes.byteLength) })
    response.write(bytes.subarray(0, 100_000))
  })
  const dataDir = await makeDataFolder()
  const variables = { URL_IMPORT_ALLOW: `127.0.0.1:${remote.port}` }
  const first = await startProduct(dataDir, variables)
  const { access_token: token } = await signIn(first.url)
  const form = new FormData()
  form.append('upload_method', 'url')
  form.append('url', `${remote.url}/model.stl`)
  const answer = await fetch(`${first.url}/api/stl-files/upload`, {
    method: 'POST',
    headers: bearer(token),
    body: form,
  })
  expect(answer.status).toBe(202)
  const { id } = (await answer.json()) as ModelImport
  const pending = () => readdir(join(dataDir, 'objects', '.pending'))
  expect(
    await until(async () => remote.hits.length === 1 && (await pending()).length === 1, PATIENCE_MS),
  ).toBe(true)
  first.signalGroup('SIGKILL')
  await first.ended
  isKilled = true
  const restartedAt = new Date()
  const second = await startProduct(dataDir, variables)
  await forgetLostProcesses(dataDir, restartedAt)
  const { access_token: later } = await signIn(second.url)
  const read = async (): Promise<ModelImport> =>
    (await (
      await fetch(`${second.url}/api/stl-imports/${id}`, { headers: bearer(later) })
    ).json()) as ModelImport
  expect(await until(async () => (await read()).status !== 'fetching', PATIENCE_MS, 250)).toBe(true)
  const models = await listAll<Model>(second.url, '/api/stl-files', later)
  const unswept = await pending()
  console.info(`T101 models of one fetch that was killed ${models.length} of 1, unswept ${unswept.length}`)
  expect(await read()).toMatchObject({ status: 'done', stl_file_id: id })
  expect(models.map((model) => [model.id, model.sha256])).toEqual([[id, sha256Of(bytes)]])
  expect(unswept).toEqual([])
})
