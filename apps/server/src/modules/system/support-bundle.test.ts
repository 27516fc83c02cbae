import { expect, it } from 'vitest'
import { OWNER_PASSWORD, buildTestApp } from '../../../test/support/build-test-app.ts'
import { entriesOf } from '../../../test/support/audit-entries.ts'
import { aPrinter, anItem } from '../../../test/support/stock-factories.ts'

const SECRETS = {
  SMTP_URL: 'smtp://mailer:Pfeffer-Secret-1@127.0.0.1:2525',
  MAIN_SITE_URL: 'https://shop.secret-2.example',
  MAIN_SITE_ADMIN_KEY: 'admin-key-secret-3',
  AI_BASE_URL: 'https://ai.secret-4.example/v1',
  AI_API_KEY: 'ai-key-secret-5',
  BACKUP_KEY: 'a backup key secret-6',
  METRICS_TOKEN: 'metrics-token-secret-7',
  MAIN_SITE_WEBHOOK_SECRET: 'webhook-secret-8-of-shop',
}

it('T112 a support bundle contains figures of the installation, but no secrets and no names', async () => {
  const app = await buildTestApp({ variables: SECRETS })
  await anItem(app, { name: 'secret-9 dragon' })
  await aPrinter(app, 'secret-10 printer')
  const headers = await app.as('admin')
  const answer = await app.http.inject({ url: '/api/system/support-bundle', headers })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="pegasus-ops-[\d-]+\.json"$/)
  const bundle = answer.json<{ migrations: object[]; tables: object[] }>()
  expect(bundle).toMatchObject({
    system: { version: '0.0.0-test' },
    settings: { mail_server: true, main_site: 'pegasus', backups_encrypted: true, bucket: false },
    figures: { printers: [{ state: 'available', count: 1 }] },
  })
  expect(bundle.migrations.length).toBeGreaterThan(80)
  expect(bundle.tables.length).toBeGreaterThan(60)
  const planted = [OWNER_PASSWORD, 'ecret-', 'owner@pegasus.local', 'example.com', app.dataDir]
  const found = planted.filter((text) => answer.body.includes(text))
  console.info(
    `T112 secrets in a support bundle ${found.length} of ${Object.keys(SECRETS).length + planted.length}`,
  )
  expect(found).toEqual([])
  expect((await entriesOf(app)).map(({ action }) => action)).toContain('support_bundle.made')
  const staff = await app.http.inject({ url: '/api/system/support-bundle', headers: await app.as('staff') })
  expect(staff.statusCode).toBe(403)
})
