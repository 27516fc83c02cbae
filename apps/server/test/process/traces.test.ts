import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { cleanEnvironment } from '../../../../scripts/lib/environment.ts'
import { aCollector } from '../servers/trace-collector.ts'
import { launchProduct, makeDataFolder, signIn, startProduct } from './product-process.ts'

const source = (file: string) => new URL(`../../src/${file}`, import.meta.url).href

/**
 * A program that imports these files, and prints the OpenTelemetry packages that are then loaded. It leaves out `api`,
 * which the metrics library always loads, and which does nothing without the SDK.
 */
const LIST_LOADED = (files: readonly string[]) => `
  import { registerHooks } from 'node:module'
  const loaded = new Set()
  registerHooks({
    load(url, context, next) {
      const [, name] = /@opentelemetry\\/([^/]+)/.exec(url) ?? []
      if (name && name !== 'api') loaded.add(name)
      return next(url, context)
    },
  })
  for (const file of ${JSON.stringify(files.map(source))}) await import(file)
  console.log([...loaded].join(' '))
  process.exit()`

const listLoaded = async (...files: string[]): Promise<string[]> => {
  const args = ['--input-type=module', '--eval', LIST_LOADED(files)]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: cleanEnvironment(),
  })
  return stdout.trim().split(' ').filter(Boolean)
}

describe('the process of the server', () => {
  it('a server that stops sends its remaining spans, and its log lines contain the id of their trace', async () => {
    const collector = await aCollector()
    const dataDir = await makeDataFolder()
    const product = await startProduct(dataDir, {
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20for-the-collector',
    })
    await signIn(product.url)
    product.signal('SIGTERM')
    expect(await product.ended).toEqual({ code: 0, signal: null })

    const login = collector.spans().find(({ name }) => name === 'POST /api/auth/login')
    expect(login?.resource['service.name']).toBe('pegasus-ops')
    expect(collector.payload()).toContain('"authorization":"Bearer for-the-collector"')
    const lines = product
      .readOutput()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const line = lines.find(({ path }) => path === '/api/auth/login')
    expect(line).toMatchObject({
      trace_id: login?.traceId,
      span_id: login?.spanId,
      requestId: login?.attributes['pegasus.request_id'],
    })
  })

  it('a server with an invalid trace setting does not start, and prints a readable error', async () => {
    const { ended, readOutput } = launchProduct('/nonexistent', { OTEL_TRACES_SAMPLER: 'some' })
    expect(await ended).toMatchObject({ code: 1 })
    expect(readOutput()).toMatch(/^OTEL_TRACES_SAMPLER holds "some", but should hold [^\n]+\.\n$/)
  })

  it('a server without traces does not load the OpenTelemetry SDK', async () => {
    const server = ['bootstrap.ts', 'app.ts', 'config.ts', 'platform/storage/s3-storage.ts']
    expect(await listLoaded(...server)).toEqual([])
    expect(await listLoaded('platform/tracing/open-telemetry.ts')).toContain('sdk-trace')
  })
})
