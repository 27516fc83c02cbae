import { join } from 'node:path'
import { type Config, readConfig } from '../config.ts'

/**
 * Returns the configuration of a demo's server. It starts from the defaults and takes only harmless values from the
 * shop. So a setting that is added later never connects a demo to a shop, a mail server, a provider or a backup folder.
 * The data folder is never created and has no root secret, so a backup of a demo fails before it writes or removes
 * anything.
 */
export function demoConfig(shop: Config, password: string): Config {
  const defaults = readConfig({
    DATA_DIR: join(shop.dataDir, 'demo'),
    PUBLIC_URL: shop.publicUrl,
    OWNER_PASSWORD: password,
  })
  return {
    ...defaults,
    port: shop.port,
    host: shop.host,
    trustedProxies: shop.trustedProxies,
    requestsPerSecond: shop.requestsPerSecond,
    signInLimits: shop.signInLimits,
    uploadLimitBytes: shop.uploadLimitBytes,
    clamd: shop.clamd,
    currency: shop.currency,
    locale: shop.locale,
    logLevel: shop.logLevel,
  }
}
