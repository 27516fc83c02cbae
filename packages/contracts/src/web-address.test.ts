import { expect, it } from 'vitest'
import { hasUserInfo, isBaseAddress, isWebAddress } from './web-address.ts'

it.each([
  'https://ops.example.com',
  'http://192.168.1.20:7125/',
  'HTTPS://ops.example.com/shop',
  'http://[::1]:3000',
  'https://example.com/@maker/1:2@3',
])('%s is a web address to which a path can be appended', (address) => {
  expect([isWebAddress(address), isBaseAddress(address), hasUserInfo(address)]).toEqual([true, true, false])
})

it.each(['https://example.com/?mail=a@example.com', 'https://example.com/#@', 'https://example.com?a:b@c'])(
  '%s is a web address to which no path can be appended',
  (address) => {
    expect([isWebAddress(address), isBaseAddress(address), hasUserInfo(address)]).toEqual([
      true,
      false,
      false,
    ])
  },
)

it.each([
  'https://ada:secret@example.com',
  'https://ada@example.com/',
  'https://:secret@example.com',
  'https://@example.com',
  'https://ada:@example.com',
  'HTTP://ada:secret@192.168.1.20:7125/a?b#c',
  'https://example.com\\@ada:secret@example.org',
  'https://a%40b:secret@example.com',
  'https://a\tda:secret@example.com',
  'https://ada@shop.example:secret@example.com',
  'https:///ada:secret@example.com',
])('T112 the address %j is refused, because it contains a user name or a password', (address) => {
  expect([isWebAddress(address), isBaseAddress(address)]).toEqual([false, false])
})

it.each([
  '',
  'example.com',
  '//example.com',
  'ftp://example.com',
  'javascript:alert(1)',
  'https://',
  'https://?a',
])('%j is not a web address', (address) => {
  expect([isWebAddress(address), isBaseAddress(address)]).toEqual([false, false])
})
