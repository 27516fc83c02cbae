import { expect, it } from 'vitest'
import { aHostedProject } from '../../../test/support/accounts/hosted-projects.ts'
import { aPicture } from '../../../test/support/library/pictures.ts'
import { SYSTEM_ACTOR } from '../../platform/actor.ts'
import { createOwnCall } from '../../platform/outbound/safe-call.ts'
import { createProjectUpload } from './project-upload.ts'

it('a generated picture is stored in the hosted project, unless its name is taken there', async () => {
  const { project, url, variables } = await aHostedProject()
  const settings = { url, anonKey: '', serviceKey: variables['SUPABASE_SERVICE_ROLE_KEY'] ?? '' }
  const put = createProjectUpload(settings, createOwnCall(url))
  const by = { actor: SYSTEM_ACTOR, now: project.clock.now() }
  const path = 'images/products/dragon 1.jpg'
  const file = {
    bucket: 'product-images',
    path,
    bytes: await aPicture({ width: 8, height: 8 }),
    cacheSeconds: 3600,
  }
  const address = await put(file, by)
  expect(address).toBe(`${url}/storage/v1/object/public/product-images/images/products/dragon%201.jpg`)
  const stored = await fetch(String(address))
  expect([stored.status, stored.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect(stored.headers.get('cache-control')).toContain('max-age=3600')
  expect(await put(file, by)).toBe(address)
  const other = { ...file, bytes: await aPicture({ width: 9, height: 9 }) }
  expect(await put(other, by)).toBeNull()

  const refused = createProjectUpload({ ...settings, serviceKey: 'sb_secret_of_nobody' }, createOwnCall(url))
  await expect(refused(file, by)).rejects.toMatchObject({ code: 'HOSTED_STORAGE_FAILED' })
  const gone = createProjectUpload(
    { ...settings, url: 'http://127.0.0.1:1' },
    createOwnCall('http://127.0.0.1:1'),
  )
  await expect(gone(file, by)).rejects.toMatchObject({ code: 'HOSTED_STORAGE_FAILED' })
})
