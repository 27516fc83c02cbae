import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../../test/support/build-test-app.ts'
import { OBJECT, read, sendForm, sendRaw } from '../../../test/storage/media-upload.ts'
import { PLACE, aMp4, aPhoneJpeg, aPicture, aWebm } from '../../../test/support/library/pictures.ts'

describe('hostile media uploads', () => {
  it('T64 a media upload is refused if its content does not match its name and type', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const [png, gif] = await Promise.all([
      aPicture({ width: 3, height: 3 }, 'png'),
      aPicture({ width: 3, height: 3 }, 'gif'),
    ])
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const html = Buffer.from('<!doctype html><script>alert(1)</script>')
    const exe = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)])
    const cut = (await aPicture({ width: 300, height: 300 })).subarray(0, 400)
    const lies: [string, Buffer][] = []
    for (const name of [
      'a.jpg',
      'a.jpeg',
      'a.png',
      'a.webp',
      'a.avif',
      'a.webm',
      'a.mp4',
      'a.mov',
      'a.php.jpg',
    ])
      for (const bytes of [
        svg,
        html,
        exe,
        Buffer.from('#!/bin/sh'),
        Buffer.from('\xff\xd8\xffnothing', 'latin1'),
      ])
        lies.push([name, bytes])
    for (const name of [
      'a.svg',
      'a.html',
      'a.exe',
      'a.php',
      'a',
      'a.jpg.exe',
      '.htaccess',
      'a.gif',
      'a.webm.html',
    ])
      lies.push([name, png])
    for (const bytes of [
      png,
      aWebm({ docType: 'matroska' }),
      aWebm({ codec: 'A_OPUS' }),
      aWebm().subarray(0, 20),
      Buffer.from('1a45dfa3', 'hex'),
    ])
      lies.push(['a.webm', bytes])
    for (const name of ['a.mp4', 'a.m4v', 'a.mov'])
      for (const bytes of [
        aWebm(),
        aMp4({ handler: 'soun' }),
        aMp4({ brand: 'heic' }),
        aMp4({ indexes: 2 }),
        // The sensor data of these files cannot be located, or lies outside the file.
        aMp4({ isFragmented: true }),
        aMp4({ samples: 2 }),
        aMp4({ emptyBoxes: 20_001 }),
        aMp4({ rest: `\0\0\0\x02udta${PLACE}` }),
        aMp4({ chunks: [1_000_000] }),
        aMp4({ chunks: Array.from({ length: 20_001 }, () => 0) }),
        aMp4().subarray(0, -1),
        Buffer.concat([aMp4(), Buffer.from('PK\u0003\u0004')]),
        aMp4().subarray(0, 16),
      ])
        lies.push([name, bytes])
    lies.push(['a.webm', aMp4()], ['a.jpg', aMp4()])
    lies.push(['a.jpg', cut], ['a.jpg', aWebm()], ['a.png', png.subarray(0, 40)])
    let accepted = 0
    for (const [name, bytes] of lies)
      for (const answer of [
        await sendForm(app, staff, { path: name, bytes }),
        await sendRaw(app, { ...staff, 'content-type': 'image/jpeg' }, name, bytes, 'PUT'),
      ]) {
        if (answer.statusCode === 200) accepted += 1
        expect([name, answer.statusCode, answer.json()]).toEqual([
          name,
          400,
          {
            statusCode: expect.stringMatching(/415|422/),
            error: expect.any(String),
            code: expect.any(String),
            message: expect.any(String),
          },
        ])
      }
    // A picture in another format is accepted, and converted to the format of its file extension.
    for (const [path, bytes] of [
      ['g.jpg', gif],
      ['p.webp', png],
    ] as const) {
      expect((await sendForm(app, staff, { path, bytes })).statusCode).toBe(200)
      expect((await sharp((await read(app, path)).rawPayload).metadata()).format).toBe(
        path === 'g.jpg' ? 'jpeg' : 'webp',
      )
    }
    console.info(`T64 mismatched files accepted ${accepted} of ${lies.length * 2}`)
    expect(accepted).toBe(0)
    const [{ count }] = await app.database.sql<
      [{ count: number }]
    >`select count(*)::int as count from objects`
    expect(count).toBe(2)
  })

  it('T65 an uploaded picture is stored upright, without location and other metadata', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const phone = await aPhoneJpeg()
    expect((await sharp(phone).metadata()).orientation).toBe(6)
    const tail = Buffer.concat([phone, Buffer.from('<script>alert(1)</script>PK\u0003\u0004')])
    let kept = 0
    const names = ['a.jpg', 'a.png', 'a.webp']
    for (const path of names) {
      expect((await sendForm(app, staff, { path, bytes: tail })).statusCode).toBe(200)
      const { rawPayload } = await read(app, path)
      const found = await sharp(rawPayload).metadata()
      expect([found.width, found.height, found.orientation]).toEqual([20, 40, undefined])
      if (
        found.exif ||
        found.xmp ||
        found.iptc ||
        rawPayload.includes('script') ||
        rawPayload.includes('Somebody')
      )
        kept += 1
    }
    console.info(`T65 pictures that kept where they were taken ${kept} of ${names.length}`)
    expect(kept).toBe(0)
  })

  it('T65 an uploaded video keeps its frames, but its location and its sensor data are removed', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const cases = [
      ['a.mp4', 'isom', 'video/mp4'],
      ['b.m4v', 'M4V ', 'video/mp4'],
      ['c.mov', 'qt  ', 'video/quicktime'],
    ] as const
    for (const [path, brand, type] of cases) {
      const sent = aMp4({ brand })
      expect(sent.toString('latin1').split(PLACE)).toHaveLength(8)
      expect((await sendForm(app, staff, { path, bytes: sent })).statusCode).toBe(200)
      const { headers, rawPayload } = await read(app, path)
      expect([headers['content-type'], rawPayload.length]).toEqual([type, sent.length])
      expect(rawPayload.includes(PLACE)).toBe(false)
      expect(rawPayload.includes(Buffer.alloc(40, 7))).toBe(true)
      expect(rawPayload.toString('latin1').split('trak')).toHaveLength(2)
    }
    // Some cameras write the location of a recording into its subtitles.
    expect((await sendForm(app, staff, { path: 'd.mp4', bytes: aMp4({ sensor: 'text' }) })).statusCode).toBe(
      200,
    )
    expect((await read(app, 'd.mp4')).rawPayload.includes(PLACE)).toBe(false)
  })

  it('T65 a video whose sensor data covers the whole file thousands of times is stored', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    // The file has 30 MB, and each of its 20,000 chunks covers all of it. Blanking the chunks one by one would write
    // 600 GB.
    const bytes = aMp4({ chunks: Array.from({ length: 20_000 }, () => 40), frameBytes: 30_000_000 })
    const answer = await sendForm(app, staff, { path: 'a.mp4', bytes })
    expect(answer.statusCode).toBe(200)
  })

  it('T65 uploaded pictures that would exhaust the memory are refused', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const bombs = [
      ['50,000 × 50,000 PNG', 'a.jpg', await bombPng(50_000, 50_000)],
      ['9,000 × 9,000 PNG', 'a.png', await bombPng(9000, 9000)],
      ['GIF of 10,000 frames', 'a.webp', bombGif(10_000)],
    ] as const
    let wrong = 0
    for (const [what, path, bytes] of bombs) {
      const before = process.memoryUsage().rss
      const startedAt = performance.now()
      const answer = await sendForm(app, staff, { path, bytes })
      const [ms, mb] = [performance.now() - startedAt, (process.memoryUsage().rss - before) / 2 ** 20]
      console.info(`T65 ${what}: ${answer.statusCode} in ${ms.toFixed(0)} ms, RSS +${mb.toFixed(0)} MB`)
      if (answer.statusCode !== 400 || ms > 2000 || mb > 200) wrong += 1
    }
    console.info(`T65 bombs wrong ${wrong} of ${bombs.length}`)
    expect(wrong).toBe(0)
  })

  it('T60 media names that leave the folder, and other invalid media names, are refused', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const bytes = await aPicture({ width: 2, height: 2 })
    const names = [
      '..%2f..%2fetc%2fx.jpg',
      'a/..%2Fx.jpg',
      'a/..%5cx.jpg',
      '%00.jpg',
      'a%00b.jpg',
      'a%5cb.jpg',
      'x%0d%0aset-cookie.jpg',
      '%E2%80%AEgpj.exe.jpg',
      'caf%C3%A9.jpg',
      'a/%20/x.jpg',
      `${'x'.repeat(800)}.jpg`,
      '%7Ea.jpg',
      'a%22b.jpg',
      '%3Cscript%3E.jpg',
    ]
    let outside = 0
    for (const name of names) {
      const answer = await sendRaw(app, { ...staff, 'content-type': 'image/jpeg' }, name, bytes)
      if (answer.statusCode === 200) outside += 1
      expect([name, answer.statusCode, answer.json<{ code: string }>().code]).toEqual([
        name,
        400,
        'InvalidKey',
      ])
    }
    console.info(`T60 media names accepted that climb or deceive ${outside} of ${names.length}`)
    const slashes = await sendRaw(app, { ...staff, 'content-type': 'image/jpeg' }, '//a//b.jpg', bytes)
    expect(slashes.json()).toMatchObject({ Key: 'product-images/a/b.jpg' })
  })

  it('a media upload that is too large, empty, incomplete or sent to an unknown bucket is refused and leaves nothing behind', async () => {
    const app = await buildTestApp({ variables: { UPLOAD_LIMIT: '2kb' } })
    const staff = await app.as('staff')
    const large = Buffer.concat([await aPicture({ width: 2, height: 2 }), Buffer.alloc(4000)])
    for (const answer of [
      await sendForm(app, staff, { path: 'a.jpg', bytes: large }),
      await sendRaw(app, { ...staff, 'content-type': 'image/jpeg' }, 'a.jpg', large),
    ])
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        {
          statusCode: '413',
          error: 'Payload too large',
          code: 'EntityTooLarge',
          message: 'The object exceeded the maximum allowed size',
        },
      ])
    const nothing = await sendRaw(app, { ...staff, 'content-type': 'image/jpeg' }, 'a.jpg', Buffer.alloc(0))
    expect([nothing.statusCode, nothing.json<{ message: string }>().message]).toEqual([
      400,
      'There is no file in this request.',
    ])
    const other = await app.http.inject({
      method: 'POST',
      url: `${OBJECT}/secrets/a.jpg`,
      headers: { ...staff, 'content-type': 'image/jpeg' },
      payload: 'x',
    })
    expect([other.statusCode, other.json()]).toEqual([
      400,
      { statusCode: '404', error: 'Bucket not found', code: 'NoSuchBucket', message: 'Bucket not found' },
    ])
    const broken = await app.http.inject({
      method: 'POST',
      url: `${OBJECT}/product-images/a.jpg`,
      headers: { ...staff, 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x\r\nContent-Disposition: form-data; name=""; filename="a"\r\n\r\nabc',
    })
    expect(broken.statusCode, broken.body).toBe(400)
    const left: string[] = []
    for await (const { key } of app.storage.list('media')) left.push(key)
    expect(left).toEqual([])
  })
})

/**
 * Returns a PNG of one color whose header claims a large size. Decoding its few kilobytes would take
 * gigabytes.
 */
async function bombPng(width: number, height: number): Promise<Buffer> {
  const png = await aPicture({ width: 2, height: 2 }, 'png')
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  return png
}

/** Returns a GIF with this number of frames, each of 100 × 100 pixels. */
function bombGif(frames: number): Buffer {
  const head = Buffer.from('474946383961640064008000000000' + '00ffffff', 'hex')
  const frame = Buffer.from('21f904000a0000002c000000006400640000020284' + '5100', 'hex')
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from('3b', 'hex')])
}
