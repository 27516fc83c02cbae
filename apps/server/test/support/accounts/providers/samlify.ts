import { createRequire } from 'node:module'

interface Sides {
  getMetadata(): string
}

interface ParsedRequest {
  extract: { request?: { id?: string } }
}

interface SamlifyIdp extends Sides {
  parseLoginRequest(
    sp: Sides,
    binding: 'redirect',
    request: { query: Record<string, string>; octetString: string },
  ): Promise<ParsedRequest>
  createLoginResponse(
    sp: Sides,
    request: ParsedRequest,
    binding: 'post',
    user: object,
    fill: (template: string) => { id: string; context: string },
  ): Promise<{ context: string }>
}

interface Samlify {
  setSchemaValidator(validator: { validate(xml: string): Promise<string> }): void
  ServiceProvider(settings: { metadata: string }): Sides
  IdentityProvider(settings: Record<string, unknown>): SamlifyIdp
  SamlLib: {
    defaultLoginResponseTemplate: { context: string }
    replaceTagsByValue(template: string, values: Record<string, string>): string
  }
}

/** Load the library without its types, because they would add the types of a browser page to the server's code. */
export const samlify = createRequire(import.meta.url)('samlify') as Samlify
