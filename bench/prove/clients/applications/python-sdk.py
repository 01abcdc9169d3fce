"""Signs a user up and in at a new pool, with boto3 and pycognito."""
import os

import boto3
from pycognito import Cognito

USER = 'ada'
EMAIL = 'ada@example.test'
PASSWORD = 'Correct-Horse1!'
CHANGED = 'Correct-Horse2!'

client = boto3.client('cognito-idp')
pool_id = client.create_user_pool(PoolName='from Python')['UserPool']['Id']
app = client.create_user_pool_client(
    UserPoolId=pool_id, ClientName='app', GenerateSecret=True,
    ExplicitAuthFlows=['ALLOW_USER_SRP_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'])['UserPoolClient']
connection = {'endpoint_url': os.environ['AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER']}


def open_user(**tokens):
    return Cognito(pool_id, app['ClientId'], client_secret=app['ClientSecret'], username=USER,
                   boto3_client_kwargs=connection, **tokens)


user = open_user()
user.set_base_attributes(email=EMAIL)
user.register(USER, PASSWORD)
user.admin_confirm_sign_up()
user.authenticate(PASSWORD)
first = user.access_token
user.renew_access_token()
assert user.access_token != first
assert user.get_user().email == EMAIL
user.change_password(PASSWORD, CHANGED)
user.logout()
again = open_user()
again.authenticate(CHANGED)
assert [each['Username'] for each in client.list_users(UserPoolId=pool_id)['Users']] == [USER]
try:
    open_user().authenticate(PASSWORD)
    raise AssertionError('the old password still works')
except client.exceptions.NotAuthorizedException:
    pass
client.delete_user_pool(UserPoolId=pool_id)
print(EMAIL)
