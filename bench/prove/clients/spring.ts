import { execFile } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createBearerHeader } from '../../../e2e/support/requests/exchange.ts';
import { PASSWORD, requireTokens } from '../../../e2e/support/services/test-service.ts';
import { ADA, checkUsualSignIn, type ForeignApplication, type Stage } from './stage.ts';

const run = promisify(execFile);
const APPLICATION = fileURLToPath(new URL('applications/spring/', import.meta.url));

/** An application of Spring Boot, which is a client and a resource server. */
export interface SpringApplication {
  readonly foreign: ForeignApplication;
  readonly version: string;
}

/** Builds it with Maven, below a folder. */
export async function buildSpringApplication(folder: string): Promise<SpringApplication> {
  const place = join(folder, 'spring');
  const sources = join(place, 'src/main/java/app');
  await mkdir(sources, { recursive: true });
  await cp(join(APPLICATION, 'pom.xml'), join(place, 'pom.xml'));
  await cp(join(APPLICATION, 'App.java'), join(sources, 'App.java'));
  await run('mvn', ['-q', '-B', 'package'], { cwd: place });
  const [, version = ''] = /<version>(.+?)<\/version>/.exec(await readFile(join(place, 'pom.xml'), 'utf8')) ?? [];
  return { version: `Boot ${version}`, foreign: describeApplication(join(place, 'target/app-1.jar')) };
}

const describeApplication = (jar: string): ForeignApplication => ({
  callback: '/login/oauth2/code/poolgate',
  async configure({ folder, port, issuer, client }) {
    const registration = 'spring.security.oauth2.client.registration.poolgate';
    const settings = {
      'server.port': String(port),
      [`${registration}.client-id`]: client.id,
      [`${registration}.client-secret`]: client.secret ?? '',
      [`${registration}.scope`]: 'openid,email',
      'spring.security.oauth2.client.provider.poolgate.issuer-uri': issuer,
      'spring.security.oauth2.resourceserver.jwt.issuer-uri': issuer,
    };
    const environment = { SPRING_APPLICATION_JSON: JSON.stringify(settings) };
    return { program: 'java', words: ['-jar', jar], environment, folder };
  },
  check: checkSpring,
});

async function checkSpring(stage: Stage): Promise<void> {
  await checkUsualSignIn(stage, { signIn: '/', user: '/', signOut: '/logout' });
  const { service, application, expect } = stage;
  const { access } = requireTokens(await service.post('/login', { username: ADA, password: PASSWORD }));
  const api = `${application}/api/user`;
  const accepted = await fetch(api, { headers: createBearerHeader(access) });
  expect('the resource server accepts an access token', accepted.status === 200, accepted.status);
  const forged = await fetch(api, { headers: createBearerHeader(`${access.slice(0, -8)}AAAAAAAA`) });
  expect('and no forged one', forged.status === 401, forged.status);
}
