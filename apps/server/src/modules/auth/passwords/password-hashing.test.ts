import { expect, it } from 'vitest'
import { createPasswordHashing } from './password-hashing.ts'

it('passwords are hashed with argon2id at the cost that OWASP recommends, and hashes of any cost can be verified', async () => {
  const [hashing, cheap] = await Promise.all([
    createPasswordHashing(),
    createPasswordHashing({ memoryKib: 1024, passes: 1 }),
  ])
  const [stored, cheapStored] = await Promise.all([hashing.hash('a passphrase'), cheap.hash('a passphrase')])
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(cheapStored).toMatch(/^\$argon2id\$v=19\$m=1024,t=1,p=1\$/)
  for (const hash of [stored, cheapStored])
    expect([
      await hashing.matches('a passphrase', hash),
      await hashing.matches('another passphrase', hash),
    ]).toEqual([true, false])
  expect(await hashing.matches('nobody has this password', null)).toBe(false)
})
