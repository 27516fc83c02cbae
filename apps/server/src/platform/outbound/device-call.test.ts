import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { aRemote } from '../../../test/servers/remote-server.ts'
import { createDeviceCall, parseDeviceAddress } from './device-call.ts'

const calling = (...addresses: string[]) =>
  createDeviceCall({ resolve: () => Promise.resolve(addresses), limits: { answerMs: 20_000 } })

const GET = { method: 'GET', path: '/api/version', maxBytes: 1000 } as const

describe('device addresses', () => {
  it.each([
    ['http://192.168.1.40', 'http://192.168.1.40'],
    ['http://192.168.1.40:7125/', 'http://192.168.1.40:7125'],
    ['https://Printer.local/octoprint/', 'https://printer.local/octoprint'],
    ['http://[fd00::5]:80', 'http://[fd00::5]'],
    ['http://127.0.0.1:5000', 'http://127.0.0.1:5000'],
  ])('%s is accepted as a device address', (text, canonical) =>
    expect(parseDeviceAddress(text)).toBe(canonical),
  )

  it.each([
    'ftp://192.168.1.40',
    'file:///etc/passwd',
    'http://user:password@192.168.1.40',
    'http://192.168.1.40/?x=1',
    'http://169.254.169.254',
    'http://[::ffff:169.254.169.254]',
    'http://0.0.0.0:5000',
    'http://0:5000',
    'http://255.255.255.255',
    'http://224.0.0.251',
    'http://[fe80::1]',
    'http://[fd00:ec2::254]',
    'http://[::]',
    'printer',
    '',
  ])('%j is refused as a device address', (text) => expect(() => parseDeviceAddress(text)).toThrow())

  it('a device can be called by its host name, unless the name resolves to a forbidden address', async () => {
    const device = await aRemote((_, response) => response.end('{}'))
    const address = `http://printer.local:${device.port}`
    expect((await calling('127.0.0.1')(address, GET)).body.toString()).toBe('{}')
    for (const found of [['169.254.169.254'], ['127.0.0.1', '0.0.0.0'], []])
      await expect(calling(...found)(address, GET)).rejects.toMatchObject({
        fault: 'address',
        wasSent: false,
      })
    expect(device.hits).toHaveLength(1)
  })

  it('a request path cannot direct a call to another device', async () => {
    const device = await aRemote((_, response) => response.end('{}'))
    const inner = await aRemote((_, response) => response.end('secret'))
    await calling('127.0.0.1')(device.url, { ...GET, path: `/@127.0.0.1:${inner.port}/` })
    expect([device.hits.length, inner.hits.length]).toEqual([1, 0])
    await expect(
      calling('127.0.0.1')(`http://127.0.0.1:${device.port}`, { ...GET, path: `@127.0.0.1:${inner.port}/` }),
    ).rejects.toThrow()
    expect(inner.hits).toEqual([])
  })
})

describe('an upload to a device', () => {
  it('an upload is aborted if the device takes its bytes far too slowly for the size of the file', async () => {
    const device = await aRemote((request) => {
      request.on('data', () => {
        request.pause()
        setTimeout(() => request.resume(), 10)
      })
    })
    const call = createDeviceCall({
      resolve: () => Promise.resolve(['127.0.0.1']),
      limits: { uploadPauseMs: 20_000, uploadBaseMs: 100, uploadBytesPerSecond: 1_000_000_000 },
    })
    const chunks = function* () {
      for (;;) yield Buffer.alloc(65_536)
    }
    const stream = Readable.from(chunks())
    const body = { stream, sizeBytes: 100_000_000 }
    await expect(
      call(device.url, { method: 'PUT', path: '/file', body, maxBytes: 1000 }),
    ).rejects.toMatchObject({ fault: 'too-slow', wasSent: true })
    expect(stream.destroyed).toBe(true)
  })
})
