import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { withLock } from '../boot/lock.mjs'
import { Interrupted, inProject, PlainError, say, secondsSince } from '../boot/project.mjs'
import { BUILD_LOCK, BUILD_STAMP, hashWebSources } from './stamp.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Builds the web app, unless the last build was made from the same sources. */
export async function ensureWebBuilt(): Promise<void> {
  if (isBuiltFrom(hashWebSources())) return
  await withLock(BUILD_LOCK, 'building the web app', async (addKeeper) => {
    const sources = hashWebSources()
    if (isBuiltFrom(sources)) return
    const startedAt = Date.now()
    say('building the web app')
    const signIn = await buildInChild(sources, addKeeper)
    say(`the web app is ready after ${secondsSince(startedAt)}; ${signIn}`)
  })
}

function isBuiltFrom(sources: string): boolean {
  return existsSync(BUILD_STAMP) && readFileSync(BUILD_STAMP, 'utf8') === sources
}

/**
 * Builds in a child process, because a build leaves about 700 MB of memory in use. Returns the sentence that the build
 * prints. If this process is killed, the build still keeps the lock. Throws PlainError with the message of the build,
 * and Interrupted after a signal.
 */
async function buildInChild(sources: string, addKeeper: (pid: number) => void): Promise<string> {
  const child = spawn(process.execPath, [inProject('scripts', 'web', 'build.ts'), sources], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid) addKeeper(child.pid)
  let interruptedBy: NodeJS.Signals | undefined
  const interrupt = (signal: NodeJS.Signals) => {
    interruptedBy = signal
    child.kill('SIGKILL')
  }
  for (const signal of SIGNALS) process.on(signal, interrupt)
  try {
    const [printed, complaint, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ])
    if (interruptedBy) throw new Interrupted(interruptedBy)
    if (code !== 0) throw new PlainError(complaint.trim())
    if (complaint) console.error(complaint.trim())
    return printed.trim()
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt)
  }
}
