import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Where Debian installs clamd. */
const CLAMD = '/usr/sbin/clamd'
const MIB = 2 ** 20

/** The EICAR test file, which every scanner finds. It is assembled here, so that no scanner finds this source file. */
export const EICAR = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR', '-STANDARD-', 'ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
)

export interface ScannerProcess {
  /** Value for `CLAMD_URL`. */
  url: string
  /** The name under which the scanner reports the EICAR test file. */
  signature: string
  /** Files above this size are refused (`StreamMaxLength`). */
  maxBytes: number
}

export interface SimulatedClamd extends ScannerProcess {
  /** The complete files that the server has received. */
  scanned: Buffer[]
  /**
   * Sets how the server responds from now on: as in the protocol, never (`silent`), with bytes that clamd never sends
   * (`garbage`), by closing the connection (`closing`), or before it has the whole file (`hasty`).
   */
  behave(as: 'properly' | 'silent' | 'garbage' | 'closing' | 'hasty'): void
  /** Closes all connections. */
  hangUp(): void
}

/** Starts a server that speaks the published protocol of clamd: zPING and zINSTREAM. */
export async function aClamd({ maxBytes = 25 * MIB } = {}): Promise<SimulatedClamd> {
  const scanned: Buffer[] = []
  const sockets = new Set<Socket>()
  const signature = 'Eicar-Test-Signature'
  let behavior: Parameters<SimulatedClamd['behave']>[0] = 'properly'
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    let received = Buffer.alloc(0)
    let hasReplied = false
    const reply = (text: string) => {
      if (behavior === 'silent') return
      hasReplied = true
      if (behavior === 'closing') socket.destroy()
      else socket.end(behavior === 'garbage' ? 'HTTP/1.1 400 Bad Request\r\n\r\n\0' : `${text}\0`)
    }
    socket.on('data', (chunk) => {
      // Read the rest of a refused file without keeping it. Resetting the connection could lose the reply.
      if (hasReplied) return
      received = Buffer.concat([received, chunk])
      const end = received.indexOf(0)
      if (end < 0) return
      const command = received.subarray(0, end).toString()
      if (command === 'zPING') reply('PONG')
      else if (command !== 'zINSTREAM') reply('UNKNOWN COMMAND')
      else {
        const file = readStream(received.subarray(end + 1), maxBytes)
        if (file === 'too large') reply('INSTREAM size limit exceeded. ERROR')
        else if (file === 'unfinished') {
          if (behavior === 'hasty' && received.length > end + 5)
            reply(received.includes(EICAR) ? `stream: ${signature} FOUND` : 'stream: OK')
        } else {
          scanned.push(file)
          reply(file.includes(EICAR) ? `stream: ${signature} FOUND` : 'stream: OK')
        }
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `tcp://127.0.0.1:${port}`,
    signature,
    maxBytes,
    scanned,
    behave(as) {
      behavior = as
    },
    hangUp() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/**
 * Reads the chunks of a stream. Each chunk follows its length, 4 bytes in big-endian order. A length of 0 ends the
 * stream.
 */
function readStream(bytes: Buffer, maxBytes: number): Buffer | 'unfinished' | 'too large' {
  const chunks: Buffer[] = []
  let size = 0
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    if (length === 0) return Buffer.concat(chunks)
    size += length
    if (size > maxBytes) return 'too large'
    if (at + 4 + length > bytes.length) return 'unfinished'
    chunks.push(bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return 'unfinished'
}

/** Whether the real clamd is installed. */
export const hasClamd = existsSync(CLAMD)

/** Starts the real clamd without network access. It knows one signature, which finds the EICAR test file. */
export async function aRealClamd(): Promise<ScannerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-clamd-'))
  const socket = join(folder, 'clamd.ctl')
  const database = join(folder, 'database')
  await mkdir(database)
  await writeFile(join(database, 'own.ndb'), `Own.Eicar:0:*:${EICAR.toString('hex')}\n`)
  const settings = [
    `LocalSocket ${socket}`,
    `DatabaseDirectory ${database}`,
    `LogFile ${join(folder, 'clamd.log')}`,
    'Foreground true',
    'StreamMaxLength 2M',
  ]
  await writeFile(join(folder, 'clamd.conf'), `${settings.join('\n')}\n`)
  const clamd = spawn(CLAMD, ['--config-file', join(folder, 'clamd.conf')], { stdio: 'ignore' })
  const ended = once(clamd, 'exit')
  onTestFinished(async () => {
    clamd.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  return { url: `unix://${socket}`, signature: 'Own.Eicar.UNOFFICIAL', maxBytes: 2 * MIB }
}
