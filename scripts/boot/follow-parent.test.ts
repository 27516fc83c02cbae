import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'

const FOLLOW_PARENT = new URL('./follow-parent.mjs', import.meta.url).href

/** A script that forks a process, exchanges a message with it, and ends itself. */
const ASKING = `
  import { fork } from 'node:child_process'
  import { fileURLToPath } from 'node:url'
  if (process.argv[2] === 'echo') process.on('message', (word) => process.send(word, () => process.disconnect()))
  else {
    const child = fork(fileURLToPath(import.meta.url), ['echo'])
    child.send('hello')
    child.once('message', (word) => console.log('the child said', word))
    child.once('exit', () => process.exit())
  }`

it('a process that uses follow-parent can exchange messages with the processes that it forks', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pegasus-follow-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'asking.mjs')
  writeFileSync(file, ASKING)
  const child = spawn(process.execPath, ['--import', FOLLOW_PARENT, file], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  expect(await text(child.stdout!)).toBe('the child said hello\n')
})

it('a process that uses follow-parent ends when its parent has ended', async () => {
  const child = spawn(
    process.execPath,
    ['--import', FOLLOW_PARENT, '-e', 'setInterval(() => {}, 1000); console.log("up")'],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  )
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const ended = once(child, 'exit')
  await once(child.stdout!, 'data')
  child.disconnect()
  expect(await ended).toEqual([null, 'SIGTERM'])
})
