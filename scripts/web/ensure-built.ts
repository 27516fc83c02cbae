import { existsSync, readFileSync } from 'node:fs'
import { say, secondsSince } from '../boot/project.mjs'
import { withLock } from '../boot/lock.mjs'
import { BUILD_LOCK, BUILD_STAMP, hashWebSources } from './stamp.ts'

/** Builds the web app unless the existing build has the same sources. Loads Vite only for a build. */
export async function ensureWebBuilt(): Promise<void> {
  if (isBuiltFrom(hashWebSources())) return
  await withLock(BUILD_LOCK, 'building the web app', async () => {
    const sources = hashWebSources()
    if (isBuiltFrom(sources)) return
    const startedAt = Date.now()
    say('building the web app')
    const { buildWeb } = await import('./build.ts')
    const signIn = await buildWeb(sources)
    say(`the web app is ready after ${secondsSince(startedAt)}; ${signIn}`)
  })
}

function isBuiltFrom(sources: string): boolean {
  return existsSync(BUILD_STAMP) && readFileSync(BUILD_STAMP, 'utf8') === sources
}
