import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { PRODUCT_NAME } from '@pegasus/contracts/client-config'
import type { Endpoint } from '@pegasus/contracts/endpoint'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { type ApiDescription, API_DOCS_STYLE, apiDocsPage } from './api-docs-page.ts'
import { textErrorsOf } from './error-responses.ts'
import { createStaticDocument, type StaticDocument } from './static-document.ts'
import { styledPagePolicy } from '../security-headers.ts'

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transform']>

/** Returns the successful responses of an endpoint that are not JSON: no body, a redirect, or a file. */
function responsesWithoutJson({ success, alternative }: Endpoint): Record<string, object> {
  if (success.body) return {}
  const isFile = 'contentType' in success
  const file = { schema: { type: 'string', format: 'binary' } }
  const response = {
    description: isFile ? 'The file' : 'No body',
    ...(isFile ? { content: { [success.contentType.split(';', 1)[0] ?? '']: file } } : { type: 'null' }),
  }
  return {
    [success.status]: response,
    ...(alternative !== undefined && { [alternative]: { description: 'No body', type: 'null' } }),
  }
}

/** Describes an endpoint from its schemas, and adds the responses for which its route has no schema. */
const describeRoute: Transform = (route) => {
  const described = jsonSchemaTransform(route)
  const { endpoint } = route.route.config ?? {}
  if (!endpoint || endpoint.access === 'nobody' || described.schema.hide) return described
  const response = Object.assign(
    responsesWithoutJson(endpoint),
    textErrorsOf(endpoint),
    described.schema.response,
  )
  return { ...described, schema: { ...described.schema, response } }
}

/**
 * Describes the registered endpoints from the schemas that validate them: `/api/openapi.json` for programs
 * and `/api/docs` for people. Each document is built once, on the first request: both are public, and
 * building one takes longer than hundreds of other calls.
 */
export async function describeApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: `${PRODUCT_NAME} API`, version },
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: "A person's access token, from POST /auth/login.",
          },
          serviceKey: {
            type: 'http',
            scheme: 'bearer',
            description:
              'A key of the hosted service protocol: `sb_secret_…`, or a JWT with the role service_role. The header `apikey` also accepts it.',
          },
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description: 'An API key; `Authorization: Bearer` also accepts it. It allows only these calls.',
          },
        },
      },
    },
    transform: describeRoute,
    transformObject: jsonSchemaTransformObject,
  })
  const addDocument = (path: string, create: () => Promise<StaticDocument>): void => {
    let document: Promise<StaticDocument> | undefined
    app.get(path, { schema: { hide: true }, config: { isCounted: true } }, async (request, reply) => {
      document ??= create()
      return (await document).send(request, reply)
    })
  }
  addDocument('/api/openapi.json', () =>
    createStaticDocument(JSON.stringify(app.swagger()), {
      'content-type': 'application/json; charset=utf-8',
    }),
  )
  addDocument('/api/docs', () =>
    createStaticDocument(apiDocsPage(app.swagger() as ApiDescription), {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': styledPagePolicy(API_DOCS_STYLE),
    }),
  )
}
