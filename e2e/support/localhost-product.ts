import type { CDPSession, Page } from '@playwright/test'
import { test as base } from './fixtures.ts'
import { findFreePort, type Product, startProduct } from './harness.ts'

/**
 * A product that is reached by a host name, because browsers support security keys and passkeys only for host
 * names, not for IP addresses.
 */
export const test = base.extend<object, { named: Product }>({
  named: [
    async ({}, use) => {
      const port = String(await findFreePort())
      const product = await startProduct({ PORT: port, PUBLIC_URL: `http://localhost:${port}` })
      await use({ ...product, url: `http://localhost:${port}` })
      await product.stop()
    },
    { scope: 'worker', timeout: 200_000 },
  ],
  baseURL: async ({ named }, use) => {
    await use(named.url)
  },
})

/**
 * A virtual device of Chromium that holds security keys and passkeys. By default, it has verified its owner and needs
 * no touch.
 */
export interface VirtualKey {
  /** Sets whether the device verifies the person from now on. */
  setPersonVerified(isVerified: boolean): Promise<void>
  /** Returns the number of credentials on the device. */
  count(): Promise<number>
}

export async function addVirtualKey(page: Page): Promise<VirtualKey> {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async setPersonVerified(isUserVerified) {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    async count() {
      return (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length
    },
  }
}
