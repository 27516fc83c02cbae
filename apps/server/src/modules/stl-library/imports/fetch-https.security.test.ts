import type { Model } from '@pegasus/contracts/stl-library/models'
import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../test/support/build-test-app.ts'
import { anAuthority, type Certificate } from '../../../../test/servers/certificates.ts'
import {
  getImport,
  importIn,
  keptBy,
  QUICK,
  uploadByUrl,
} from '../../../../test/support/library/model-imports.ts'
import { aRemote, type Remote, serving } from '../../../../test/servers/remote-server.ts'

const CUBE = writeBinaryStl(createCube(20))
const AUTHORITY = anAuthority()

/**
 * Starts an app for which two host names lead to this machine. Both names are allowed with the ports of the remote
 * servers.
 */
const appFor = (remotes: readonly Remote[]): Promise<TestApp> =>
  buildTestApp({
    // If all six imports began at once, they would wait for the database connections that start their tasks.
    startsTasks: true,
    variables: {
      URL_IMPORT_ALLOW: remotes
        .flatMap(({ port }) => [`127.0.0.1:${port}`, `models.example:${port}`])
        .join(','),
    },
    outbound: {
      limits: { ...QUICK, answerMs: 1000 },
      authorities: [AUTHORITY.cert],
      resolve: async () => ['127.0.0.1'],
    },
  })

const serve = (tls: Certificate) => aRemote(serving(CUBE), { tls })

it('an upload by URL over HTTPS works if the certificate matches the given address or name', async () => {
  const remotes = [await serve(AUTHORITY.issue('127.0.0.1')), await serve(AUTHORITY.issue('models.example'))]
  const app = await appFor(remotes)
  const staff = await app.as('staff')
  const urls = [`${remotes[0]?.url}/a.stl`, `https://models.example:${remotes[1]?.port}/b.stl`]
  for (const url of urls) {
    const { id } = (await uploadByUrl(app, staff, url)).json<ModelImport>()
    expect(await importIn(app, staff, id, 'done', 'failed')).toMatchObject({ status: 'done', error: null })
    const model = await app.http.inject({ url: `/api/stl-files/${id}`, headers: staff })
    expect(model.json<Model>()).toMatchObject({ source_url: url, file_size: CUBE.byteLength })
  }
  // The request contained the host's name, not its address.
  expect(remotes[1]?.hits.map(({ headers }) => headers.host)).toEqual([`models.example:${remotes[1]?.port}`])
})

it('T55 a server with an invalid certificate gets no request, and is reported like an unreachable server', {
  timeout: 300_000,
}, async () => {
  const stranger = anAuthority('Somebody else')
  const wrong: Record<string, Certificate> = {
    'of another authority': stranger.issue('127.0.0.1'),
    'for another name': AUTHORITY.issue('other.example'),
    'for another address': AUTHORITY.issue('127.0.0.2'),
    'of yesterday': AUTHORITY.issue('127.0.0.1', { days: -1 }),
    'of its own making': stranger.itself,
  }
  const remotes = await Promise.all(Object.values(wrong).map(serve))
  const closed = await aRemote((_request, response) => void response.destroy())
  const app = await appFor([...remotes, closed])
  const staff = await app.as('staff')
  const begun = await Promise.all(
    [...remotes, closed].map(async ({ url }) =>
      (await uploadByUrl(app, staff, `${url}/a.stl`)).json<ModelImport>(),
    ),
  )
  for (const { id } of begun) await importIn(app, staff, id, 'done', 'failed')
  const ends = await Promise.all(begun.map(({ id }) => getImport(app, staff, id)))
  const results = new Set(ends.map(({ status, error }) => `${status}: ${error}`))
  const asked = remotes.reduce((sum, { hits }) => sum + hits.length, 0)
  console.info(
    `T55 wrong certificates that were believed ${asked} of ${remotes.length}, different answers ${results.size - 1}`,
  )
  expect([...results]).toEqual([
    expect.stringMatching(/^failed: Nothing could be fetched from this address\./),
  ])
  expect(asked).toBe(0)
  expect(await keptBy(app)).toMatchObject({ files: 0, models: 0 })
})
