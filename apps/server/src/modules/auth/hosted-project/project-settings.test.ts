import { describe, expect, it } from 'vitest'
import { readHostedProject } from './project-settings.ts'

const OWN = 'https://ops.example.com'
const jwt = (role: string): string => `e30.${Buffer.from(JSON.stringify({ role })).toString('base64url')}.x`
const GOOD = {
  SUPABASE_URL: 'https://project.example.com/',
  SUPABASE_ANON_KEY: 'sb_publishable_abc',
  SUPABASE_SERVICE_ROLE_KEY: 'sb_secret_def',
}

describe('the settings of a hosted project', () => {
  it('the settings of a hosted project are its address and both keys, or nothing', () => {
    const read = {
      url: 'https://project.example.com',
      anonKey: 'sb_publishable_abc',
      serviceKey: 'sb_secret_def',
    }
    expect(readHostedProject(GOOD, OWN)).toEqual(read)
    const keys = { SUPABASE_ANON_KEY: jwt('anon'), SUPABASE_SERVICE_ROLE_KEY: jwt('service_role') }
    expect(readHostedProject({ ...GOOD, ...keys }, OWN)).toMatchObject({ anonKey: jwt('anon') })
    expect(readHostedProject({}, OWN)).toBeNull()
  })

  it.each([
    ['SUPABASE_URL', undefined, 'nothing'],
    ['SUPABASE_URL', 'project', 'the web address'],
    ['SUPABASE_URL', 'https://me:word@project.example.com', 'the web address'],
    ['SUPABASE_URL', OWN, 'another installation'],
    ['SUPABASE_ANON_KEY', undefined, 'publishable key'],
    ['SUPABASE_ANON_KEY', 'sb_secret_def', 'publishable key'],
    ['SUPABASE_ANON_KEY', jwt('service_role'), 'anon key'],
    ['SUPABASE_SERVICE_ROLE_KEY', undefined, 'secret key'],
    ['SUPABASE_SERVICE_ROLE_KEY', jwt('anon'), 'service_role key'],
    ['SUPABASE_SERVICE_ROLE_KEY', 'two words', 'service_role key'],
  ])('the settings of a hosted project are refused if %s is %s', (name, value, said) => {
    const read = () => readHostedProject({ ...GOOD, [name]: value }, OWN)
    expect(read).toThrow(said)
    expect(read).toThrow(name)
    // A key that was pasted into the wrong variable never appears in a log.
    if (value?.startsWith('sb_')) expect(read).not.toThrow(value)
  })
})
