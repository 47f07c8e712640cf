rootProject.name = "pathlight-gradle-plugin"
