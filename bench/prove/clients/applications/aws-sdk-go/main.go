// Creates a pool, and signs a user up and in there.
package main

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	cognito "github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider"
	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"
)

const (
	user     = "ada@example.test"
	password = "Correct-Horse1!"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	client := cognito.NewFromConfig(must(config.LoadDefaultConfig(ctx)))
	pool := must(client.CreateUserPool(ctx, &cognito.CreateUserPoolInput{
		PoolName:           aws.String("from Go"),
		UsernameAttributes: []types.UsernameAttributeType{types.UsernameAttributeTypeEmail},
	})).UserPool
	app := must(client.CreateUserPoolClient(ctx, &cognito.CreateUserPoolClientInput{
		UserPoolId:        pool.Id,
		ClientName:        aws.String("app"),
		ExplicitAuthFlows: []types.ExplicitAuthFlowsType{"ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"},
	})).UserPoolClient
	must(client.SignUp(ctx, &cognito.SignUpInput{ClientId: app.ClientId, Username: aws.String(user), Password: aws.String(password)}))
	must(client.AdminConfirmSignUp(ctx, &cognito.AdminConfirmSignUpInput{UserPoolId: pool.Id, Username: aws.String(user)}))
	tokens := must(client.InitiateAuth(ctx, &cognito.InitiateAuthInput{
		ClientId:       app.ClientId,
		AuthFlow:       types.AuthFlowTypeUserPasswordAuth,
		AuthParameters: map[string]string{"USERNAME": user, "PASSWORD": password},
	})).AuthenticationResult
	refreshed := must(client.GetTokensFromRefreshToken(ctx, &cognito.GetTokensFromRefreshTokenInput{
		ClientId:     app.ClientId,
		RefreshToken: tokens.RefreshToken,
	})).AuthenticationResult
	shown := must(client.GetUser(ctx, &cognito.GetUserInput{AccessToken: refreshed.AccessToken}))
	must(client.GlobalSignOut(ctx, &cognito.GlobalSignOutInput{AccessToken: refreshed.AccessToken}))
	_, err := client.GetUser(ctx, &cognito.GetUserInput{AccessToken: refreshed.AccessToken})
	if err == nil {
		panic("the access token still works")
	}
	must(client.DeleteUserPool(ctx, &cognito.DeleteUserPoolInput{UserPoolId: pool.Id}))
	for _, attribute := range shown.UserAttributes {
		if aws.ToString(attribute.Name) == "email" {
			fmt.Println(aws.ToString(attribute.Value))
		}
	}
}
