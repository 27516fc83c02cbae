import { describe, expect, it } from 'vitest'
import { createOutboundPolicy, isPublicAddress, parseAllowRule } from './outbound-policy.ts'

const reachOf = (...rules: string[]) =>
  createOutboundPolicy(rules.map((text) => parseAllowRule(text)).filter((rule) => rule !== null))

describe('addresses of the public internet', () => {
  it.each([
    '93.184.216.34',
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '192.169.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ])('the address %s is public', (address) => expect(isPublicAddress(address)).toBe(true))

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '100.127.255.255',
    '169.254.169.254',
    '168.63.129.16',
    '0.0.0.0',
    '255.255.255.255',
    '::1',
    '::',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    '2002:808:808::',
    '2001::1',
    'fe80::1',
    'fe80::1%eth0',
    'fd00::1',
    'ff02::1',
    '2001:db8::1',
    '',
    'localhost',
    '127.1',
  ])('%j is not a public address', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('addresses allowed by the operator', () => {
  it.each([
    ['10.0.0.5', { range: '10.0.0.5', host: null, port: null }],
    ['10.0.0.0/8:5000', { range: '10.0.0.0/8', host: null, port: 5000 }],
    ['fd00::/8', { range: 'fd00::/8', host: null, port: null }],
    ['[fd00::1]:8123', { range: 'fd00::1', host: null, port: 8123 }],
    ['NAS.local', { range: null, host: 'nas.local', port: null }],
    ['nas:5000', { range: null, host: 'nas', port: 5000 }],
  ])('an outbound allow rule is parsed from %s', (text, rule) => expect(parseAllowRule(text)).toEqual(rule))

  it.each([
    '',
    ' ',
    '10.0.0.0/33',
    '10.0.0.5:0',
    '10.0.0.5:70000',
    '10.0.0',
    '300.1.1.1',
    'http://nas',
    'nas/x',
    '*',
    'a b',
    '[nas]:5',
    'fe80::1%eth0',
    '-x',
  ])('%j is not an outbound allow rule', (text) => expect(parseAllowRule(text)).toBe(null))

  it('an outbound rule allows only its port, or the usual web ports if it names none', () => {
    const reach = reachOf('10.0.0.0/24', '10.0.1.1:5000')
    expect([80, 443, 8080, 8443].every((port) => reach.allows('10.0.0.9', '10.0.0.9', port))).toBe(true)
    expect(reach.allows('10.0.0.9', '10.0.0.9', 22)).toBe(false)
    expect(reach.allows('10.0.1.1', '10.0.1.1', 5000)).toBe(true)
    expect(reach.allows('10.0.1.1', '10.0.1.1', 80)).toBe(false)
    expect(reach.allows('x', '::ffff:10.0.0.9', 80)).toBe(false)
  })

  it('an outbound rule for a host name allows every address of that host, but no other host', () => {
    const reach = reachOf('nas.local:5000')
    expect(reach.allows('nas.local', '192.168.1.9', 5000)).toBe(true)
    expect(reach.allows('evil.example.com', '192.168.1.9', 5000)).toBe(false)
    expect([reach.isNamed('nas.local'), reach.isNamed('evil.example.com')]).toEqual([true, false])
  })
})
