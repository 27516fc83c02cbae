import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../test/support/build-test-app.ts'
import { importIn, keptBy, QUICK, uploadByUrl } from '../../../../test/support/library/model-imports.ts'
import { isLongRun } from '../../../../test/process/product-process.ts'
import { aRemote, type Remote, serving } from '../../../../test/servers/remote-server.ts'
import type { ResolveHost } from '../../../platform/outbound/resolve-host.ts'

const CUBE = writeBinaryStl(createCube(20))
const PUBLIC = '93.184.216.34'
const NOTHING = { files: 0, models: 0 }

/** The addresses that a hostile name server returns. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'files.example.com': [PUBLIC],
  'loopback.example.com': ['127.0.0.1'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'private.example.com': ['10.0.0.7'],
  'metadata.example.com': ['169.254.169.254'],
  'half.example.com': [PUBLIC, '127.0.0.1'],
  'half6.example.com': [PUBLIC, '::1'],
  '127.0.0.1.nip.example.com': ['127.0.0.1'],
  'zone.example.com': ['fe80::1%eth0'],
  'empty.example.com': [],
}
const fromNames: ResolveHost = async (host) => {
  const addresses = NAMES[host]
  if (!addresses) throw new Error(`ENOTFOUND ${host}`)
  return [...addresses]
}

const HOSTS = [
  '127.0.0.1',
  '127.0.0.2',
  '127.1',
  '127.255.255.254',
  '0177.0.0.1',
  '0x7f.0.0.1',
  '0x7f000001',
  '2130706433',
  '017700000001',
  '0.0.0.0',
  '0',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '１２７.0.0.1',
  'localhost',
  'localhost.',
  'LOCALHOST',
  'x.localhost',
  'x.localhost.',
  'ⓛocalhost',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[100::1]',
  '[fe80::1]',
  '[fd00::1]',
  '[fd00:ec2::254]',
  '[fec0::1]',
  '[ff02::1]',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '169.254.169.254',
  '169.254.170.2',
  '168.63.129.16',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  'metadata.google.internal',
  'printer.local',
  'nas',
  'router.lan',
  ...Object.keys(NAMES).filter((name) => name !== 'files.example.com'),
  'unknown.example.com',
] as const
/** URLs that different programs may parse differently. `PORT` is replaced by the port of the canary server. */
const TRICKS = [
  'http://files.example.com@127.0.0.1:PORT/',
  'http://user:password@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT#@files.example.com/',
  'http://127.0.0.1:PORT\\@files.example.com/',
  'http:\\\\127.0.0.1:PORT/',
  'http://files.example.com\\@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT?@files.example.com',
  'http://127.0.0.1\t:PORT/',
  'http://127.0.0.1:PORT/\r\nHost: x',
  'http://files.example.com\r\n@127.0.0.1:PORT/',
  'http:///127.0.0.1:PORT/',
  'http:127.0.0.1:PORT',
  'http:/127.0.0.1:PORT/',
  '//127.0.0.1:PORT/',
  '127.0.0.1:PORT',
  'http://',
  'http://[::1',
  'http://%31%32%37.0.0.1:PORT/',
]

const refuses = async (app: TestApp, headers: Record<string, string>, urls: readonly string[]) => {
  const wrong: string[] = []
  const sentences = new Set<string>()
  for (const url of urls) {
    const answer = await uploadByUrl(app, headers, url)
    if (answer.statusCode !== 422) wrong.push(`${url}: ${answer.statusCode}`)
    sentences.add(answer.json().detail)
  }
  return { wrong, sentences: [...sentences] }
}

const SENTENCES = new Set([
  'This address cannot be fetched. Please check it, or download the file and choose it here.',
  'URL must be a web address (http or https)',
  'The address must not contain a user name or a password',
])

describe('fetches from forbidden addresses', () => {
  it('T50 T53 forbidden addresses are refused at once, without a connection or a revealing message', {
    timeout: 120_000,
  }, async () => {
    const canary = await aRemote(serving(CUBE))
    const canaries = [
      canary,
      await aRemote(serving(CUBE), { host: '::1', port: canary.port }).catch(() => canary),
    ]
    const app = await buildTestApp({
      // The port is allowed, so only the address can be the reason for a refusal.
      variables: { URL_IMPORT_ALLOW: `${PUBLIC}:${canary.port}` },
      outbound: { resolve: fromNames, limits: QUICK },
    })
    const staff = await app.as('staff')
    const urls = [
      ...HOSTS.flatMap((host) => [
        `http://${host}/a.stl`,
        `https://${host}/a.stl`,
        `http://${host}:${canary.port}/`,
      ]),
      ...TRICKS.map((trick) => trick.replace('PORT', String(canary.port))),
    ]
    const t50 = await refuses(app, staff, urls)
    const schemes = [
      'file:///etc/passwd',
      'ftp://HOST/',
      'gopher://HOST/',
      'data:model/stl,x',
      'blob:http://HOST/x',
      'jar:http://HOST/!/',
      'ws://HOST/',
      'wss://HOST/',
      'view-source:http://HOST/',
      'javascript:alert(1)',
      'about:blank',
    ]
    const ports = [22, 25, 53, 81, 3000, 3306, 5432, 6379, 9200, 11_211, 65_535, app.config.port]
    const t53 = await refuses(app, staff, [
      ...schemes.map((scheme) => scheme.replace('HOST', `127.0.0.1:${canary.port}`)),
      ...ports.flatMap((port) => [`http://${PUBLIC}:${port}/`, `http://files.example.com:${port}/`]),
    ])
    const hits = new Set(canaries.flatMap((each) => each.hits)).size
    console.info(`T50 addresses that got through ${t50.wrong.length} of ${urls.length}, canary hits ${hits}`)
    console.info(
      `T53 schemes and ports that got through ${t53.wrong.length} of ${schemes.length + 2 * ports.length}, canary hits ${hits}`,
    )
    expect([t50.wrong, t53.wrong, hits]).toEqual([[], [], 0])
    for (const sentence of [...t50.sentences, ...t53.sentences]) expect(SENTENCES).toContain(sentence)
    expect(await keptBy(app)).toEqual({ ...NOTHING, imports: 0 })
  })

  it('T51 an upload by URL does not reach forbidden addresses through a redirect', {
    timeout: 120_000,
  }, async () => {
    const canary = await aRemote(serving(CUBE))
    const targets = [
      `http://127.0.0.1:${canary.port}/`,
      `http://127.0.0.2:${canary.port}/`,
      `//127.0.0.1:${canary.port}/`,
      'http://10.0.0.7/',
      'http://169.254.169.254/latest/meta-data/',
      `http://localhost:${canary.port}/`,
      `http://[::ffff:127.0.0.1]:${canary.port}/`,
      'file:///etc/passwd',
      `http://user@127.0.0.1:${canary.port}/`,
      `http://loopback.example.com:${canary.port}/`,
    ]
    const cases = [301, 302, 303, 307, 308].flatMap((status) => targets.map((target) => ({ status, target })))
    const hops: string[] = []
    const remote: Remote = await aRemote((request, response) => {
      const [, kind, number = '0'] = (request.url ?? '').split('/')
      if (kind === 'case') {
        const chosen = cases[Number(number)]
        response.writeHead(chosen?.status ?? 500, { location: chosen?.target ?? '' }).end()
      } else if (kind === 'chain' && Number(number) > 0) {
        hops.push(number)
        response.writeHead(302, { location: `/chain/${Number(number) - 1}` }).end()
      } else if (kind === 'meta')
        response.end(
          `<html><meta http-equiv="refresh" content="0;url=http://127.0.0.1:${canary.port}/">`.padEnd(2000),
        )
      else serving(CUBE)(request, response)
    })
    const app = await buildTestApp({
      variables: { URL_IMPORT_ALLOW: `127.0.0.1:${remote.port}` },
      outbound: { resolve: fromNames, limits: { ...QUICK, answerMs: 100 } },
    })
    const staff = await app.as('staff')
    const ended = async (path: string) => {
      const begun = (await uploadByUrl(app, staff, `${remote.url}${path}`)).json<ModelImport>()
      return importIn(app, staff, begun.id, 'done', 'failed')
    }
    let wrong = 0
    for (const index of cases.keys()) if ((await ended(`/case/${index}`)).status !== 'failed') wrong += 1
    expect((await ended('/meta')).error).toContain('web page')
    expect((await ended('/chain/10')).status).toBe('failed')
    // Each chain is followed for three redirects and then ends.
    expect(hops).toEqual(['10', '9', '8', '7'])
    console.info(
      `T51 redirects followed astray ${wrong} of ${cases.length + 2}, canary hits ${canary.hits.length}`,
    )
    expect([wrong, canary.hits.length]).toEqual([0, 0])
    expect(await keptBy(app)).toMatchObject(NOTHING)
    // Allowed redirects are followed.
    expect((await ended('/chain/3')).status).toBe('done')
  })

  it('T52 an upload by URL reaches no forbidden address if the host name resolves differently after the check (DNS rebinding)', {
    timeout: isLongRun ? 600_000 : 120_000,
  }, async () => {
    const tries = isLongRun ? 100 : 20
    const good = await aRemote(serving(CUBE))
    const canary = await aRemote(serving(CUBE), { host: '127.0.0.2', port: good.port })
    const asked = new Map<string, number>()
    const resolve: ResolveHost = async (host) => {
      const times = (asked.get(host) ?? 0) + 1
      asked.set(host, times)
      if (host.startsWith('both')) return ['127.0.0.1', '127.0.0.2']
      // Names that start with `turn` resolve to a harmless address during the check and to a hostile one
      // during the fetch. All other names are harmless both times.
      return [host.startsWith('turn') && times > 1 ? '127.0.0.2' : '127.0.0.1']
    }
    const app = await buildTestApp({
      variables: { URL_IMPORT_ALLOW: `127.0.0.1:${good.port}` },
      outbound: { resolve, limits: { ...QUICK, answerMs: 50 } },
    })
    const staff = await app.as('staff')
    for (let index = 0; index < tries; index += 1) {
      const both = await uploadByUrl(app, staff, `http://both-${index}.example.com:${good.port}/`)
      expect(both.statusCode).toBe(422)
      const turn = await uploadByUrl(app, staff, `http://turn-${index}.example.com:${good.port}/`)
      expect((await importIn(app, staff, turn.json<ModelImport>().id, 'done', 'failed')).status).toBe(
        'failed',
      )
    }
    console.info(`T52 connections to an address that was not checked ${canary.hits.length} of ${2 * tries}`)
    expect([canary.hits.length, good.hits.length]).toEqual([0, 0])
    // The connection goes to the checked address, but the request names the host. Only the resolver of this test can
    // resolve the name.
    const steady = await uploadByUrl(app, staff, `http://steady.example.com:${good.port}/a.stl`)
    expect((await importIn(app, staff, steady.json<ModelImport>().id, 'done', 'failed')).status).toBe('done')
    expect(good.hits[0]?.headers.host).toBe(`steady.example.com:${good.port}`)
  })
})
