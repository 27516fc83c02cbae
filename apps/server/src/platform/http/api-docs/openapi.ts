import { randomBytes } from 'node:crypto'
import swagger from '@fastify/swagger'
import { PRODUCT_NAME } from '@pegasus/contracts/client-config'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { type ApiDescription, apiDocsPage } from './api-docs-page.ts'
import { pagePolicy } from '../security-headers.ts'

/**
 * Describes the registered endpoints, from the schemas that validate them: `/api/openapi.json`, and for people
 * `/api/docs`.
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
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description:
              'An API key; `Authorization: Bearer` takes it as well. It opens these calls and no others.',
          },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  })
  app.get('/api/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(app.swagger()),
  )
  app.get('/api/docs', { schema: { hide: true } }, async (_request, reply) => {
    const nonce = randomBytes(16).toString('base64')
    return reply
      .header('content-security-policy', pagePolicy(nonce))
      .type('text/html; charset=utf-8')
      .send(apiDocsPage(app.swagger() as ApiDescription, nonce))
  })
}
