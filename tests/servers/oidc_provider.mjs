// npm's oidc-provider as an authorization server for one MCP server:
// `node oidc_provider.mjs FOLDER PORT RESOURCE SECONDS`, where FOLDER is a node_modules, RESOURCE
// the URL of the MCP server, and SECONDS how long its access tokens are good.
// Registers clients, wants PKCE, sends `iss`, gives JWTs for the resource, rotates refresh tokens,
// and asks a person to log in and to consent on its own development pages.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, port, resource, seconds] = process.argv.slice(2);
const found = pathToFileURL(join(folder, 'oidc-provider', 'lib', 'index.js'));
const { Provider, errors } = await import(found.href);

const made = (type, options) =>
  generateKeyPairSync(type, options).privateKey.export({ format: 'jwk' });
const ec = { ...made('ec', { namedCurve: 'P-256' }), alg: 'ES256', use: 'sig', kid: 'ec' };
const rsa = { ...made('rsa', { modulusLength: 2048 }), alg: 'RS256', use: 'sig', kid: 'rsa' };
const ttl = Number(seconds);
const issuer = `http://127.0.0.1:${port}`;

const provider = new Provider(issuer, {
  jwks: { keys: [rsa, ec] }, // RS256 is what clients of OpenID Connect get unless they ask
  cookies: { keys: [randomUUID()] },
  scopes: ['openid', 'offline_access', 'tools'],
  pkce: { required: () => true },
  rotateRefreshToken: true,
  issueRefreshToken: async (_, client, code) =>
    client.grantTypeAllowed('refresh_token') && code.scopes.has('offline_access'),
  ttl: {
    AccessToken: ttl, AuthorizationCode: 60, IdToken: 3600, RefreshToken: 86400,
    Grant: 86400, Interaction: 3600, Session: 86400,
  },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  features: {
    devInteractions: { enabled: true },
    registration: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => false,
      getResourceServerInfo: (_, asked) => {
        if (asked !== resource) throw new errors.InvalidTarget();
        return {
          scope: 'tools', audience: resource, accessTokenTTL: ttl, accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        };
      },
    },
  },
});

provider.listen(Number(port), '127.0.0.1');
