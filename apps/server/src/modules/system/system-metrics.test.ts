import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../../test/support/build-test-app.ts'
import { aPrintJob, aPrinter } from '../../../test/support/stock-factories.ts'

const TOKEN = 'a token for the metrics'.replaceAll(' ', '-')

const scrape = async (app: TestApp, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') => {
  const { statusCode, body } = await app.http.inject({ url: '/metrics', headers, remoteAddress })
  return { statusCode, body }
}

describe('the metrics endpoint', () => {
  it('the metrics describe the database, storage, tasks, printers and jobs without the names of people', async () => {
    const app = await buildTestApp()
    await aPrinter(app, 'Secret project printer')
    await aPrintJob(app)
    await app.storage.put('pictures/one', new Blob(['hello']).stream())
    await app.http.inject({ url: '/readyz' })
    const { body } = await scrape(app)
    for (const line of [
      'pegasus_database_up 1',
      'pegasus_printers{state="available"} 1',
      'pegasus_print_jobs{state="pending"} 1',
      'pegasus_outbox_mails 0',
      'pegasus_security_events_waiting 0',
      'pegasus_event_streams 0',
      'pegasus_last_backup_timestamp_seconds 0',
      'pegasus_storage_shared 0',
      'pegasus_database_connections{state="waiting"} 0',
    ])
      expect(body).toContain(`${line}\n`)
    for (const pattern of [
      /pegasus_database_call_duration_seconds_count\{call="query"\} [1-9]/,
      /pegasus_storage_call_duration_seconds_count\{call="check"\} 1/,
      /pegasus_tasks\{queue="backups\.make",state="failed"\} 0/,
      /pegasus_database_size_bytes \d{6}/,
      /http_request_duration_seconds_count\{method="GET",route="\/readyz",status="200"\} 1/,
    ])
      expect(body).toMatch(pattern)
    expect(body).not.toContain('Secret project printer')
  })

  it('metrics can be read from other machines only with the token', async () => {
    const app = await buildTestApp({ variables: { METRICS_TOKEN: TOKEN } })
    const far = '203.0.113.9'
    expect((await scrape(app, {}, far)).statusCode).toBe(403)
    expect((await scrape(app, { authorization: `Bearer ${TOKEN}x` }, far)).statusCode).toBe(403)
    expect((await scrape(app, { authorization: TOKEN }, far)).statusCode).toBe(403)
    expect((await scrape(app, { authorization: `Bearer ${TOKEN}` }, far)).statusCode).toBe(200)
    expect((await scrape(app)).statusCode).toBe(200)
    const off = await buildTestApp({ variables: { METRICS: 'off', METRICS_TOKEN: TOKEN } })
    expect((await scrape(off, { authorization: `Bearer ${TOKEN}` }, far)).statusCode).toBe(404)
  })
})

describe('the examples for Prometheus and Grafana', () => {
  it('the examples for Prometheus and Grafana use only metrics that exist', async () => {
    const app = await buildTestApp()
    await app.http.inject({ url: '/readyz' })
    const { body } = await scrape(app)
    const known = new Set([...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
    const folder = new URL('../../../../../deploy/monitoring/', import.meta.url)
    const texts = [
      readFileSync(new URL('alerts.yml', folder), 'utf8'),
      readFileSync(new URL('dashboard.json', folder), 'utf8'),
    ]
    const named = texts.flatMap((text) => [
      ...new Set([...text.matchAll(/\b(?:pegasus_|http_|process_)\w+/g)].map(([name]) => name)),
    ])
    expect(named.length).toBeGreaterThan(20)
    const unknown = named.filter((name) => !known.has(name.replace(/_(?:bucket|count|sum)$/, '')))
    expect(unknown).toEqual([])
  })
})
