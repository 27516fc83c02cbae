import { describe, expect, it } from 'vitest'
import { readTraceSettings } from './trace-settings.ts'

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318/' }

describe('readTraceSettings', () => {
  it('traces are off without an endpoint, with a disabled SDK, and without an exporter', () => {
    for (const given of [
      {},
      { OTEL_SERVICE_NAME: 'workshop' },
      { ...ENDPOINT, OTEL_SDK_DISABLED: 'true' },
      { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' },
    ])
      expect(readTraceSettings(given)).toBe(null)
  })

  it('traces need only the setting for the endpoint, because all other settings have defaults', () => {
    expect(readTraceSettings(ENDPOINT)).toEqual({
      url: 'http://localhost:4318/v1/traces',
      headers: {},
      serviceName: 'pegasus-ops',
      resource: {},
      sampler: 'parentbased_always_on',
      ratio: 1,
      caller: 'link',
    })
  })

  it('the settings for traces are read from the standard variables of OpenTelemetry', () => {
    expect(
      readTraceSettings({
        ...ENDPOINT,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://tempo.example/otlp/v1/traces',
        OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=shop, authorization=Bearer%20a%3Db',
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=other',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_RESOURCE_ATTRIBUTES: 'service.name=named,deployment.environment.name=the%20shop',
        OTEL_TRACES_SAMPLER: 'traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0.25',
        OTEL_PROPAGATORS: 'tracecontext',
      }),
    ).toEqual({
      url: 'https://tempo.example/otlp/v1/traces',
      headers: { 'x-tenant': 'other', authorization: 'Bearer a=b' },
      serviceName: 'named',
      resource: { 'deployment.environment.name': 'the shop' },
      sampler: 'traceidratio',
      ratio: 0.25,
      caller: 'parent',
    })
    const named = { OTEL_SERVICE_NAME: 'mine', OTEL_RESOURCE_ATTRIBUTES: 'service.name=named' }
    expect(readTraceSettings({ ...ENDPOINT, ...named })).toMatchObject({ serviceName: 'mine', resource: {} })
  })

  const ADDRESS =
    'should hold a web address such as http://localhost:4318, without user and password (OTEL_EXPORTER_OTLP_HEADERS is for a token).'
  const HEADERS = 'should hold headers such as x-tenant=shop,authorization=Bearer%20token.'

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', `holds a value of 14 characters, but ${ADDRESS}`],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://a:S3cret@b', `holds a value of 17 characters, but ${ADDRESS}`],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'grpc://b', `holds a value of 8 characters, but ${ADDRESS}`],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'Bearer S3cret', `holds a value of 13 characters, but ${HEADERS}`],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%0d%0ab', `holds a value of 9 characters, but ${HEADERS}`],
    ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'a b=c', `holds a value of 5 characters, but ${HEADERS}`],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'holds "grpc", but should hold http/json.'],
    ['OTEL_SDK_DISABLED', 'yes', 'holds "yes", but should hold false or true.'],
    ['OTEL_TRACES_EXPORTER', 'zipkin', 'holds "zipkin", but should hold otlp or none.'],
    ['OTEL_PROPAGATORS', 'b3', 'holds "b3", but should hold tracecontext or none.'],
    [
      'OTEL_TRACES_SAMPLER',
      'jaeger_remote',
      'holds "jaeger_remote", but should hold parentbased_always_on, always_on, always_off, traceidratio, parentbased_always_off or parentbased_traceidratio.',
    ],
    [
      'OTEL_RESOURCE_ATTRIBUTES',
      'shop',
      'holds "shop", but should hold attributes such as deployment.environment.name=production,service.namespace=shop.',
    ],
    [
      'OTEL_TRACES_SAMPLER_ARG',
      '0.5',
      'holds "0.5", but should hold a value only if OTEL_TRACES_SAMPLER holds traceidratio or parentbased_traceidratio.',
    ],
    ...['1.5', '-1', '10%', 'all'].map((value) => [
      'OTEL_TRACES_SAMPLER_ARG',
      value,
      `holds "${value}", but should hold a share of traces from 0 to 1, such as 0.1.`,
    ]),
  ])('readTraceSettings refuses %s=%s with one sentence', (name, value, message) => {
    for (const endpoint of [{}, ENDPOINT])
      expect(() => readTraceSettings({ ...endpoint, [name]: value })).toThrow(`${name} ${message}`)
  })
})
