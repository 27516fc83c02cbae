import { describe, expect, it } from 'vitest'
import { labelPayload, modelCode, orderCode, readScannedCode } from './scan-codes.ts'

const ID = '019ab3c4-1111-7abc-8def-9f2c41d0a7b3'

describe("the content of a label's QR code", () => {
  it.each([
    ['https://ops.example.com', 'HTTPS://OPS.EXAMPLE.COM/S/I-00042'],
    ['http://192.168.178.41:3000', 'HTTP://192.168.178.41:3000/S/I-00042'],
    ['https://example.com/ops/', 'HTTPS://EXAMPLE.COM/ops/S/I-00042'],
    ['http://localhost:3000', 'I-00042'],
    ['http://shop.localhost', 'I-00042'],
    ['http://127.0.0.1:8080', 'I-00042'],
    ['http://[::1]:8080', 'I-00042'],
    ['nowhere', 'I-00042'],
  ])('with the public address %s, the QR code of a label contains %s', (publicUrl, payload) => {
    expect(labelPayload('i-00042', publicUrl)).toBe(payload)
    expect(readScannedCode(payload)).toBe('I-00042')
  })

  it('orderCode and modelCode consist of a prefix and the end of the id', () => {
    expect([orderCode(ID), modelCode(ID)]).toEqual(['O-9F2C41D0A7B3', 'M-9F2C41D0A7B3'])
  })
})

describe('reading scanned codes', () => {
  it.each([
    ['  i-00042\r\n', 'i-00042'],
    ['\u0001I-00042\u0004', 'I-00042'],
    ['https://ops.example.com/s/I-00042/', 'I-00042'],
    ['https://ops.example.com/s/PO%2F7?utm=x#top', 'PO/7'],
    ['https://ops.example.com/s/%zz', '%zz'],
    ['https://ops.example.com/shop/I-00042', 'https://ops.example.com/shop/I-00042'],
    ['PO 7 / 2026', 'PO 7 / 2026'],
    ['\r\n', ''],
  ])('readScannedCode reads %j as the code %j', (text, code) => {
    expect(readScannedCode(text)).toBe(code)
  })
})
