import { resolve } from 'node:path'
import { startShop } from './shop.ts'

const { env } = process

const shop = await startShop({
  host: env['SHOP_HOST'] ?? '127.0.0.1',
  port: Number(env['SHOP_PORT'] ?? '4000'),
  file: resolve(env['SHOP_FILE'] ?? './shop.json'),
  adminKey: env['SHOP_ADMIN_KEY'] ?? 'example-admin-key',
  adminHeader: (env['SHOP_ADMIN_HEADER'] ?? 'X-Admin-Key').toLowerCase(),
  opsUrl: (env['OPS_URL'] ?? 'http://localhost:3000').replace(/\/+$/, ''),
  currency: env['SHOP_CURRENCY'] ?? 'USD',
  webhookSecret: env['SHOP_WEBHOOK_SECRET'] ?? '',
})
console.log(`The example shop is at ${shop.url}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void shop.close())
