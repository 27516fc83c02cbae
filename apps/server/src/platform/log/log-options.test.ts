import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { logOptions } from './log-options.ts'

function written(fields: object): Record<string, unknown> {
  let line = ''
  const lines = new Writable({
    write(chunk, _encoding, done) {
      line += String(chunk)
      done()
    },
  })
  pino(logOptions('info'), lines).info(fields, 'a line')
  return JSON.parse(line) as Record<string, unknown>
}

it('a log line hides secrets in fields and nested fields, without changing the logged object', () => {
  const request = { path: '/', authorization: 'Bearer abc', token: 't' }
  const line = written({
    request,
    password: 'p',
    secret: { a: 1 },
    names: ['a'],
    at: null,
    err: new Error('no'),
  })
  expect(line).toMatchObject({
    level: 'info',
    msg: 'a line',
    request: { path: '/', authorization: '[redacted]', token: '[redacted]' },
    password: '[redacted]',
    secret: '[redacted]',
    names: ['a'],
    at: null,
    err: { message: 'no' },
  })
  expect(request.token).toBe('t')
})

const LOG = new URL('log-options.ts', import.meta.url).href
/** Logs a line every millisecond, and ends at SIGTERM after a last line. */
const PROGRAM = `
  const { openLog } = await import(${JSON.stringify(LOG)})
  const log = openLog('info')
  process.on('SIGTERM', () => {
    log.fatal('the end')
    process.exit(0)
  })
  setInterval(() => log.info('a line'), 1)`

function start() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

it('T103 a process whose log has lost its reader still ends', { timeout: 60_000 }, async () => {
  const child = start()
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

it('the log contains each line exactly once, including the last line before the process ends', {
  timeout: 60_000,
}, async () => {
  const child = start()
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (output.length > 20_000) child.kill('SIGTERM')
  })
  await once(child, 'close')
  const lines = output.trimEnd().split('\n')
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ level: 'fatal', msg: 'the end' })
  expect(lines.filter((line) => line.includes('the end'))).toHaveLength(1)
})
