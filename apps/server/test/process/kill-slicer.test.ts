import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { bearer, makeDataFolder, sendSignal, signIn, startProduct, until } from './product-process.ts'
import { aModel } from './write-load.ts'
import { isAlive } from './is-alive.ts'

const PATIENCE_MS = 90_000

/** Creates a slicer that never ends and has a child process. Both write their process ids to a file. */
async function anEndlessSlicer(): Promise<{ path: string; pids(): Promise<number[]> }> {
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-test-slicer-'))
  const [path, record] = [join(folder, 'slicer'), join(folder, 'pids')]
  const pids = async () => {
    const text = await readFile(record, 'utf8').catch(() => '')
    return text.split('\n').filter(Boolean).map(Number)
  }
  onTestFinished(async () => {
    for (const pid of await pids()) sendSignal(pid, 'SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  await writeFile(
    path,
    `#!${process.execPath}
const { appendFileSync } = require('node:fs')
const { spawn } = require('node:child_process')
const beside = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
appendFileSync(${JSON.stringify(record)}, process.pid + '\\n' + beside.pid + '\\n')
setInterval(() => {}, 1000)
`,
  )
  await chmod(path, 0o755)
  return { path, pids }
}

it('a slicer and its child processes end when the server is killed with SIGKILL', {
  timeout: 600_000,
}, async () => {
  const slicer = await anEndlessSlicer()
  const product = await startProduct(await makeDataFolder(), { SLICER_PATH: slicer.path })
  const { access_token: token } = await signIn(product.url)
  const form = new FormData()
  form.append('upload_method', 'file')
  form.append('file', new Blob([aModel(12).slice()]), 'a.stl')
  const answer = await fetch(`${product.url}/api/stl-files/upload`, {
    method: 'POST',
    headers: bearer(token),
    body: form,
  })
  expect(answer.status, await answer.text()).toBe(201)
  expect(await until(async () => (await slicer.pids()).length === 2, PATIENCE_MS)).toBe(true)
  const pids = await slicer.pids()
  expect(pids.map(isAlive)).toEqual([true, true])
  // End only the server, so that no shutdown message reaches the other processes.
  product.signal('SIGKILL')
  await product.ended
  expect(await until(async () => !pids.some(isAlive), 10_000)).toBe(true)
})
